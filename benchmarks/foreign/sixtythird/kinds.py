"""The register of this part."""

from benchmarks.foreign.entering import Part

PART = Part()
"""A lab that post-trains one base model for mathematics, code, repositories, tools, chat and safety in mixed
batches.
"""
