"""Where the kinds of the thirty-fifth part are entered."""

from benchmarks.foreign.entering import Part

PART = Part()
"""The kinds of this part, in the order of their modules."""
