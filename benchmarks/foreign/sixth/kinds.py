"""The sixth part: kinds written blind, by an author who did not read the diagnosis."""

from benchmarks.foreign.entering import Part

PART = Part()
