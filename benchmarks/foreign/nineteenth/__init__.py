"""The nineteenth part of the bank: 44 kinds written blind; half, drawn by lot, were kept apart at first (`kept_*`)."""

from benchmarks.foreign.nineteenth import (
    kept_glen,
    kept_moor,
    kept_quay,
    kept_ridge,
    open_glen,
    open_moor,
    open_quay,
    open_ridge,
)
from benchmarks.foreign.nineteenth.kinds import PART

MODULES = (kept_glen, kept_moor, kept_quay, kept_ridge, open_glen, open_moor, open_quay, open_ridge)
"""Imported for the kinds that they enter."""
NINETEENTH = tuple(PART.kinds)
