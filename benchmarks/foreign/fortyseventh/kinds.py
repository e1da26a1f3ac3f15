"""The kinds of the fortyseventh part: what a reviewer of training runs gets sent by companies."""

from benchmarks.foreign.entering import Part

PART = Part()
"""Collects the kinds in the order in which their modules are imported."""
