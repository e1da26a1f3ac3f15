"""The part in which the kinds of this package are entered."""

from benchmarks.foreign.entering import Part

PART = Part()
"""Runs of small teams with open trainers, on exams, forms, tickets, code, SQL and tools of their own."""
