"""The twenty-fourth part: 44 kinds after threads of trainers; half, drawn by lot, are kept apart (`kept_*`)."""

from benchmarks.foreign.twentyfourth import (
    kept_dawn,
    kept_dusk,
    kept_noon,
    kept_rain,
    kept_snow,
    open_dawn,
    open_dusk,
    open_noon,
    open_rain,
    open_snow,
)
from benchmarks.foreign.twentyfourth.kinds import PART

MODULES = (kept_dawn, kept_dusk, kept_noon, kept_rain, kept_snow, open_dawn, open_dusk, open_noon, open_rain, open_snow)
"""Imported for the kinds that they enter."""
TWENTYFOURTH = tuple(PART.kinds)
