"""The kinds of the thirty-fourth part: faults that people wrote up in fields of their own, and healthy neighbours."""

from benchmarks.foreign.entering import Part

PART = Part()
