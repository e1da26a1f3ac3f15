"""The kinds of this part; a docstring says what is wrong and who reported it."""

from benchmarks.foreign.entering import Part

PART = Part()
