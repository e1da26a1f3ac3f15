"""Where the kinds of the twenty-ninth part are entered."""

from benchmarks.foreign.entering import Part

PART = Part()
