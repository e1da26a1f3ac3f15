"""The kinds of the fifty-third part: runs made up to try a diagnostic tool, each in its own world."""

from benchmarks.foreign.entering import Part

PART = Part()
"""Filled by the modules of kinds."""
