"""The eighth part: kinds written blind by one who had read no diagnostic."""

from benchmarks.foreign.entering import Part

PART = Part()
