"""The part that holds this package's kinds."""

from benchmarks.foreign.entering import Part

PART = Part()
"""Kinds of people who fine-tune on one or eight GPUs, in the order of their modules."""
