"""The eleventh part of the bank: 44 kinds written blind; half, drawn by lot, were kept apart at first (`kept_*`)."""

from benchmarks.foreign.eleventh import kept_lane, kept_mill, kept_weir, open_quay, open_ridge, open_vale
from benchmarks.foreign.eleventh.kinds import PART

MODULES = (kept_lane, kept_mill, kept_weir, open_quay, open_ridge, open_vale)
"""Imported for the kinds that they enter."""
ELEVENTH = tuple(PART.kinds)
"""24 faulty and 20 healthy ones."""
