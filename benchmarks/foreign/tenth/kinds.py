"""The list of the tenth part's kinds."""

from benchmarks.foreign.entering import Part

PART = Part()
