"""The kinds of the thirtieth part: faults from threads of owners A to M, and healthy runs that look odd."""

from benchmarks.foreign.entering import Part

PART = Part()
