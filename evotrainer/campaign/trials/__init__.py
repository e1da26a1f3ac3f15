"""Lineages as trials: imported records and our own versions, their tree, their labels and the skill of predictions."""
