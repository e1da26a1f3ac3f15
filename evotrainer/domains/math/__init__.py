"""Arithmetic and mathematics: one answer a problem, compared symbolically."""
