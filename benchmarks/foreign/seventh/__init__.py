"""The seventh part of the bank: 44 kinds written blind; half, drawn by lot, were kept apart at first (`kept_*`)."""

from benchmarks.foreign.seventh import (
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
from benchmarks.foreign.seventh.kinds import PART

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
SEVENTH = tuple(PART.kinds)
