"""The part that kinds of start-ups which train agents are entered in."""

from benchmarks.foreign.entering import Part

PART = Part()
"""Kinds of this part."""
