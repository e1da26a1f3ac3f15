"""The eighth part of the bank: 44 kinds written blind; half, drawn by lot, were kept apart at first (`kept_*`)."""

from benchmarks.foreign.eighth import kept_sums, kept_words, kept_work, open_sums, open_work
from benchmarks.foreign.eighth.kinds import PART

MODULES = (kept_sums, kept_words, kept_work, open_sums, open_work)
"""Imported for the kinds that they enter."""
EIGHTH = tuple(PART.kinds)
