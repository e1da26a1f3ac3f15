"""The part that the modules of kinds enter their functions into."""

from benchmarks.foreign.entering import Part

PART = Part()
"""Kinds of small runs: academic groups and hobbyists."""
