"""The kinds of the thirteenth part, as its modules enter them."""

from benchmarks.foreign.entering import Part

PART = Part()
