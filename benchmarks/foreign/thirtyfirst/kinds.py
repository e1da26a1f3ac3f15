"""The part that the kinds of this package are entered in."""

from benchmarks.foreign.entering import Part

PART = Part()
"""Its kinds in the order of their modules."""
