"""The list that the modules of the sixteenth part enter their kinds in."""

from benchmarks.foreign.entering import Part

PART = Part()
