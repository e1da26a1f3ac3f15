"""Where the kinds of the twelfth part are entered."""

from benchmarks.foreign.entering import Part

PART = Part()
