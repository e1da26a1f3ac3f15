"""Where the modules of this part enter their kinds."""

from benchmarks.foreign.entering import Part

PART = Part()
"""The part's kinds, all of them healthy."""
