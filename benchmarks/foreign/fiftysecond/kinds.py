"""The part that the modules of kinds enter themselves into."""

from benchmarks.foreign.entering import Part

PART = Part()
"""The kinds of this part, in the order of their modules."""
