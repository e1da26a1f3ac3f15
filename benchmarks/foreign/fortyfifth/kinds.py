"""The kinds of the fortyfifth part: healthy runs of careful teams, each with one thing that looks odd."""

from benchmarks.foreign.entering import Part

PART = Part()
"""The part that the modules of kinds enter their functions in."""
