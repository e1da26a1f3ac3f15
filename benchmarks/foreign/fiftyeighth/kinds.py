"""The kinds of this part, in the order of their modules."""

from benchmarks.foreign.entering import Part

PART = Part()
"""What the modules of kinds enter themselves into."""
