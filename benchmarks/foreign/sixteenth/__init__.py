"""The sixteenth part of the bank: 44 kinds written blind; half, drawn by lot, were kept apart at first (`kept_*`)."""

from benchmarks.foreign.sixteenth import (
    kept_delta,
    kept_fjord,
    kept_mesa,
    kept_moor,
    kept_reef,
    open_delta,
    open_fjord,
    open_mesa,
    open_moor,
    open_reef,
)
from benchmarks.foreign.sixteenth.kinds import PART

MODULES = (
    kept_delta,
    kept_fjord,
    kept_mesa,
    kept_moor,
    kept_reef,
    open_delta,
    open_fjord,
    open_mesa,
    open_moor,
    open_reef,
)
"""Imported for the kinds that they enter."""
SIXTEENTH = tuple(PART.kinds)
