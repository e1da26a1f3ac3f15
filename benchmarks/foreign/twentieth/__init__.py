"""The twentieth part of the bank: 44 kinds written blind; half, drawn by lot, were kept apart at first (`kept_*`)."""

from benchmarks.foreign.twentieth import (
    kept_alder,
    kept_birch,
    kept_elm,
    kept_oak,
    kept_yew,
    open_alder,
    open_birch,
    open_elm,
    open_oak,
    open_yew,
)
from benchmarks.foreign.twentieth.kinds import PART

MODULES = (kept_alder, kept_birch, kept_elm, kept_oak, kept_yew, open_alder, open_birch, open_elm, open_oak, open_yew)
"""Imported for the kinds that they enter."""
TWENTIETH = tuple(PART.kinds)
