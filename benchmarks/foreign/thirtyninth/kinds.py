"""Where the modules of this part enter their kinds."""

from benchmarks.foreign.entering import Part

PART = Part()
