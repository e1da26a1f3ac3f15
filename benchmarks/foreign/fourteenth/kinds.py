"""The part that the modules of kinds enter their kinds in."""

from benchmarks.foreign.entering import Part

PART = Part()
