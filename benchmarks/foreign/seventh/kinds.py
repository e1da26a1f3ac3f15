"""The kinds of the seventh part."""

from benchmarks.foreign.entering import Part

PART = Part()
