"""The kinds of the fortyfourth part: small teams, open trainers, data of their own."""

from benchmarks.foreign.entering import Part

PART = Part()
