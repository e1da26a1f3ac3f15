"""The kinds of the forty-sixth part, entered by the modules of kinds as they are imported."""

from benchmarks.foreign.entering import Part

PART = Part()
"""The forty-sixth part."""
