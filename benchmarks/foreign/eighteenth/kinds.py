"""The part that the kinds of these modules are entered in."""

from benchmarks.foreign.entering import Part

PART = Part()
