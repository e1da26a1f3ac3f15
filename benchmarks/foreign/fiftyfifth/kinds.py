"""The kinds of the fifty-fifth part: teams that train agents with tools, each in its own environment."""

from benchmarks.foreign.entering import Part

PART = Part()
