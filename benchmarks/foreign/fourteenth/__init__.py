"""The fourteenth part of the bank: 44 kinds written blind; half, drawn by lot, were kept apart at first (`kept_*`)."""

from benchmarks.foreign.fourteenth import kept_heron, kept_osprey, kept_plover, open_birch, open_cedar, open_maple
from benchmarks.foreign.fourteenth.kinds import PART

MODULES = (kept_heron, kept_osprey, kept_plover, open_birch, open_cedar, open_maple)
"""Imported for the kinds that they enter."""
FOURTEENTH = tuple(PART.kinds)
