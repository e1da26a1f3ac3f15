"""The thirteenth part of the bank: 44 kinds written blind; half, drawn by lot, are kept apart (`kept_*`)."""

from benchmarks.foreign.thirteenth import (
    kept_ash,
    kept_birch,
    kept_cedar,
    kept_elm,
    kept_fir,
    kept_hazel,
    open_ash,
    open_birch,
    open_cedar,
    open_elm,
    open_fir,
    open_hazel,
)
from benchmarks.foreign.thirteenth.kinds import PART

MODULES = (
    kept_ash,
    kept_birch,
    kept_cedar,
    kept_elm,
    kept_fir,
    kept_hazel,
    open_ash,
    open_birch,
    open_cedar,
    open_elm,
    open_fir,
    open_hazel,
)
"""Imported for the kinds that they enter."""
THIRTEENTH = tuple(PART.kinds)
