"""The twenty-first part of the bank: 44 kinds written blind; half, drawn by lot, are kept apart (`kept_*`)."""

from benchmarks.foreign.twentyfirst import (
    kept_alder,
    kept_elm,
    kept_maple,
    kept_rowan,
    open_bay,
    open_delta,
    open_fjord,
    open_heath,
)
from benchmarks.foreign.twentyfirst.kinds import PART

MODULES = (kept_alder, kept_elm, kept_maple, kept_rowan, open_bay, open_delta, open_fjord, open_heath)
"""Imported for the kinds that they enter."""
TWENTYFIRST = tuple(PART.kinds)
