"""The fifteenth part of the bank: 44 kinds written blind; half, drawn by lot, were kept apart at first (`kept_*`)."""

from benchmarks.foreign.fifteenth import (
    kept_birch,
    kept_cedar,
    kept_hazel,
    kept_larch,
    kept_maple,
    open_birch,
    open_cedar,
    open_hazel,
    open_larch,
    open_maple,
)
from benchmarks.foreign.fifteenth.kinds import PART

MODULES = (
    kept_birch,
    kept_cedar,
    kept_hazel,
    kept_larch,
    kept_maple,
    open_birch,
    open_cedar,
    open_hazel,
    open_larch,
    open_maple,
)
"""Imported for the kinds that they enter."""
FIFTEENTH = tuple(PART.kinds)
