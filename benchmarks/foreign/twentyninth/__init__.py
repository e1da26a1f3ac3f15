"""The twenty-ninth part of the bank: 44 kinds from described faults; half, by lot, were kept apart (`kept_*`)."""

from benchmarks.foreign.twentyninth import (
    kept_anvil,
    kept_bellows,
    kept_chisel,
    kept_dowel,
    kept_easel,
    open_anvil,
    open_bellows,
    open_chisel,
    open_dowel,
    open_easel,
)
from benchmarks.foreign.twentyninth.kinds import PART

MODULES = (
    kept_anvil,
    kept_bellows,
    kept_chisel,
    kept_dowel,
    kept_easel,
    open_anvil,
    open_bellows,
    open_chisel,
    open_dowel,
    open_easel,
)
"""Imported for the kinds that they enter."""
TWENTYNINTH = tuple(PART.kinds)
