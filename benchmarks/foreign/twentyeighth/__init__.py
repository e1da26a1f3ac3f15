"""The twenty-eighth part of the bank: 44 kinds written blind; half, drawn by lot, are kept apart (`kept_*`)."""

from benchmarks.foreign.twentyeighth import (
    kept_centre,
    kept_east,
    kept_north,
    kept_south,
    kept_west,
    open_centre,
    open_east,
    open_north,
    open_south,
    open_west,
)
from benchmarks.foreign.twentyeighth.kinds import PART

MODULES = (
    kept_centre,
    kept_east,
    kept_north,
    kept_south,
    kept_west,
    open_centre,
    open_east,
    open_north,
    open_south,
    open_west,
)
"""Imported for the kinds that they enter."""
TWENTYEIGHTH = tuple(PART.kinds)
