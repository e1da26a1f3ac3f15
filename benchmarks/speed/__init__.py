"""How fast the product is beside a named peer that does the same work on the same inputs with equal results."""
