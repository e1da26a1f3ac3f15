"""The kinds of this part; a docstring says what is wrong, or only odd."""

from benchmarks.foreign.entering import Part

PART = Part()
