"""The register of this part's kinds."""

from benchmarks.foreign.entering import Part

PART = Part()
"""The kinds of the thirty-third part."""
