"""Rollouts of other systems: their names (names.yaml), rows of a structure of their own, what was said, and export."""
