"""Where the kinds of the thirty-sixth part are entered."""

from benchmarks.foreign.entering import Part

PART = Part()
"""Kinds of runs in odd worlds: proofs, rosters, robots, parcels, harbours, snapshots."""
