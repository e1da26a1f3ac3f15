"""The register of this part."""

from benchmarks.foreign.entering import Part

PART = Part()
"""What a reviewer of companies' training runs is sent."""
