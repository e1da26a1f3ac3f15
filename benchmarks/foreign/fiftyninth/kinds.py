"""The kinds of the fifty-ninth part: trial runs of the sort by which an evaluator would try a diagnostic tool."""

from benchmarks.foreign.entering import Part

PART = Part()
"""Where the modules of kinds enter what they draw."""
