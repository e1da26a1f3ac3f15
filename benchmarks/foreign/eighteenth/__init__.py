"""The eighteenth part of the bank: 44 kinds written blind; half, drawn by lot, were kept apart at first (`kept_*`)."""

from benchmarks.foreign.eighteenth import (
    kept_acacia,
    kept_beech,
    kept_cedar,
    kept_dogwood,
    kept_elder,
    kept_fir,
    open_acacia,
    open_beech,
    open_cedar,
    open_dogwood,
    open_elder,
    open_fir,
)
from benchmarks.foreign.eighteenth.kinds import PART

MODULES = (
    kept_acacia,
    kept_beech,
    kept_cedar,
    kept_dogwood,
    kept_elder,
    kept_fir,
    open_acacia,
    open_beech,
    open_cedar,
    open_dogwood,
    open_elder,
    open_fir,
)
"""Imported for the kinds that they enter."""
EIGHTEENTH = tuple(PART.kinds)
