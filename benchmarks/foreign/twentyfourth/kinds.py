"""Where the kinds of this part are entered."""

from benchmarks.foreign.entering import Part

PART = Part()
