"""The kinds of the fiftieth part, in the order of their modules."""

from benchmarks.foreign.entering import Part

PART = Part()
