"""The part that the kinds of this package are entered in."""

from benchmarks.foreign.entering import Part

PART = Part()
"""Kinds of the forty-third part, in the order of their modules."""
