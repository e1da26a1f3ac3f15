"""The part's register: its modules of kinds enter functions here."""

from benchmarks.foreign.entering import Part

PART = Part()
"""All kinds of the forty-second part."""
