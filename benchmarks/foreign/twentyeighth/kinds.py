"""The twenty-eighth part: faults that public threads report; half, drawn by lot, are kept apart (`kept_*`)."""

from benchmarks.foreign.entering import Part

PART = Part()
