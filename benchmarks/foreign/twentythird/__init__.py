"""The twenty-third part: 44 kinds written blind; half, drawn by lot, stand apart in `kept_*`."""

from benchmarks.foreign.twentythird import (
    kept_ash,
    kept_birch,
    kept_cedar,
    kept_elm,
    kept_fir,
    open_ash,
    open_birch,
    open_cedar,
    open_elm,
    open_fir,
)
from benchmarks.foreign.twentythird.kinds import PART

MODULES = (kept_ash, kept_birch, kept_cedar, kept_elm, kept_fir, open_ash, open_birch, open_cedar, open_elm, open_fir)
"""Imported for the kinds that they enter."""
TWENTYTHIRD = tuple(PART.kinds)
"""The kinds of this part."""
