"""The ninth part: kinds written blind; half were kept apart at first."""

from benchmarks.foreign.entering import Part

PART = Part()
