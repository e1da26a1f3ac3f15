"""The part that the kinds of this package enter."""

from benchmarks.foreign.entering import Part

PART = Part()
"""Healthy runs of production teams, each with one thing that a hasty reader would accuse."""
