"""The tenth part of the bank: 44 kinds written blind; half, drawn by lot, were kept apart at first (`kept_*`)."""

from benchmarks.foreign.tenth import (
    kept_brook,
    kept_cliff,
    kept_delta,
    kept_glade,
    open_brook,
    open_cliff,
    open_delta,
    open_glade,
)
from benchmarks.foreign.tenth.kinds import PART

MODULES = (kept_brook, kept_cliff, kept_delta, kept_glade, open_brook, open_cliff, open_delta, open_glade)
"""Imported for the kinds that they enter."""
TENTH = tuple(PART.kinds)
