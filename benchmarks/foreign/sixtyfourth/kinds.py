"""The kinds of this part, entered by the modules that draw them."""

from benchmarks.foreign.entering import Part

PART = Part()
