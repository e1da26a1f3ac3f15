"""The kinds of this part."""

from benchmarks.foreign.entering import Part

PART = Part()
