"""The twenty-sixth part: kinds written blind; half, drawn by lot, were kept apart at first."""

from benchmarks.foreign.entering import Part

PART = Part()
