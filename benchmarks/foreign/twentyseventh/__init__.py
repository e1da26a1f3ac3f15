"""The twenty-seventh part: 44 kinds written blind after public threads; half, dealt by lot, are `kept_*`."""

from benchmarks.foreign.twentyseventh import (
    kept_anchor,
    kept_barge,
    kept_canal,
    kept_dune,
    kept_eddy,
    open_anchor,
    open_barge,
    open_canal,
    open_dune,
    open_eddy,
)
from benchmarks.foreign.twentyseventh.kinds import PART

MODULES = (
    kept_anchor,
    kept_barge,
    kept_canal,
    kept_dune,
    kept_eddy,
    open_anchor,
    open_barge,
    open_canal,
    open_dune,
    open_eddy,
)
"""Imported for the kinds that they enter."""
TWENTYSEVENTH = tuple(PART.kinds)
