"""The kinds of this part: faults that somebody reported, and healthy runs that look odd."""

from benchmarks.foreign.entering import Part

PART = Part()
"""Kinds enter here as their modules are imported."""
