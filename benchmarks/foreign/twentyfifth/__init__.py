"""The twenty-fifth part of the bank: 44 kinds after faults reported of environments, graders, data and tools."""

from benchmarks.foreign.twentyfifth import (
    kept_ash,
    kept_beech,
    kept_clove,
    kept_dogwood,
    kept_elder,
    kept_fig,
    kept_gorse,
    open_alder,
    open_birch,
    open_cedar,
    open_elm,
    open_fir,
    open_hazel,
)
from benchmarks.foreign.twentyfifth.kinds import PART

MODULES = (
    kept_ash,
    kept_beech,
    kept_clove,
    kept_dogwood,
    kept_elder,
    kept_fig,
    kept_gorse,
    open_alder,
    open_birch,
    open_cedar,
    open_elm,
    open_fir,
    open_hazel,
)
"""Imported for the kinds that they enter."""
TWENTYFIFTH = tuple(PART.kinds)
