"""Where the kinds of this part are entered."""

from benchmarks.foreign.entering import Part

PART = Part()
"""Healthy runs alone: each has one thing that looks like a fault and has a good reason."""
