"""The part to which this package's kinds are entered."""

from benchmarks.foreign.entering import Part

PART = Part()
