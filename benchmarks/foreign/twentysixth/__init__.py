"""The twenty-sixth part: 44 kinds written blind; half, drawn by lot, were kept apart at first (`kept_*`)."""

from benchmarks.foreign.twentysixth import (
    kept_amber,
    kept_birch,
    kept_cedar,
    kept_delta,
    kept_ember,
    open_amber,
    open_birch,
    open_cedar,
    open_delta,
    open_ember,
)
from benchmarks.foreign.twentysixth.kinds import PART

MODULES = (
    kept_amber,
    kept_birch,
    kept_cedar,
    kept_delta,
    kept_ember,
    open_amber,
    open_birch,
    open_cedar,
    open_delta,
    open_ember,
)
"""Imported for the kinds that they enter."""
TWENTYSIXTH = tuple(PART.kinds)
