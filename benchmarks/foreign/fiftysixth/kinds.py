"""The kinds of the fifty-sixth part: runs of an academic group, a start-up and a large lab."""

from benchmarks.foreign.entering import Part

PART = Part()
"""Where the modules of this part enter their kinds."""
