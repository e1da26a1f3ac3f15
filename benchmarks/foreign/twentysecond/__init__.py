"""The twenty-second part: 44 kinds written blind; half, drawn by lot, were kept apart at first (`kept_*`)."""

from benchmarks.foreign.twentysecond import (
    kept_alder,
    kept_beech,
    kept_cedar,
    kept_dogwood,
    kept_elm,
    open_alder,
    open_beech,
    open_cedar,
    open_dogwood,
    open_elm,
)
from benchmarks.foreign.twentysecond.kinds import PART

MODULES = (
    kept_alder,
    kept_beech,
    kept_cedar,
    kept_dogwood,
    kept_elm,
    open_alder,
    open_beech,
    open_cedar,
    open_dogwood,
    open_elm,
)
"""Imported for the kinds that they enter."""
TWENTYSECOND = tuple(PART.kinds)
