"""The twelfth part of the bank: 44 kinds written blind; half, drawn by lot, were kept apart at first (`kept_*`)."""

from benchmarks.foreign.twelfth import kept_brook, kept_fell, kept_moor, open_brook, open_fell, open_moor
from benchmarks.foreign.twelfth.kinds import PART

MODULES = (kept_brook, kept_fell, kept_moor, open_brook, open_fell, open_moor)
"""Imported for the kinds that they enter."""
TWELFTH = tuple(PART.kinds)
