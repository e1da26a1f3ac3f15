"""What measures the product. It imports the product; the product never imports it."""
