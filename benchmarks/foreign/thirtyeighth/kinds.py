"""The kinds of the thirty-eighth part: healthy agents in environments, each with one thing that looks odd."""

from benchmarks.foreign.entering import Part

PART = Part()
"""Where the modules of kinds enter what they hold."""
