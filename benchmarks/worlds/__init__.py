"""Whole campaigns beside each other: arms that meet worlds with and without traps, on the same seeds."""
