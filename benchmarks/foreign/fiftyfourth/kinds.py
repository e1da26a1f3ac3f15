"""The fifty-fourth part: nights of small teams with a base model, their own data and a few GPUs."""

from benchmarks.foreign.entering import Part

PART = Part()
"""Kinds of this part, in the order of their modules."""
