"""The seventeenth part of the bank: 44 kinds written blind; half, drawn by lot, were kept apart at first (`kept_*`)."""

from benchmarks.foreign.seventeenth import (
    kept_amber,
    kept_birch,
    kept_cedar,
    kept_dune,
    kept_ember,
    kept_flint,
    open_amber,
    open_birch,
    open_cedar,
    open_dune,
    open_ember,
    open_flint,
)
from benchmarks.foreign.seventeenth.kinds import PART

MODULES = (
    kept_amber,
    kept_birch,
    kept_cedar,
    kept_dune,
    kept_ember,
    kept_flint,
    open_amber,
    open_birch,
    open_cedar,
    open_dune,
    open_ember,
    open_flint,
)
"""Imported for the kinds that they enter."""
SEVENTEENTH = tuple(PART.kinds)
