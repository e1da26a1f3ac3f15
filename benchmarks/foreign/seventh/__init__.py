"""The seventh part of the bank."""

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

SEVENTH = tuple(PART.kinds)
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
