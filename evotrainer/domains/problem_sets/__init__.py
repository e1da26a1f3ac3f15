"""Problem sets: reading files of rows, splitting them, and finding near-duplicates among them."""
