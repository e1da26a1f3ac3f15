"""Whether attempts come behind others of their group more often than chance has it: what is handed on comes behind.

Where each attempt begins anew, marked attempts stand before or behind others as chance has it: of a group with k givers
one that is no giver comes behind some of them in k of k + 1 cases.
"""

import math
from typing import NamedTuple

from evotrainer.evidence.frames import Frame


class Behind(NamedTuple):
    """How often takers come behind a giver of their group."""

    share: float
    z: float
    """The share beyond chance, in standard errors; attempts of a group depend on each other: each group counts once."""


def come_behind(rows: Frame, is_taker: Frame, is_giver: Frame) -> tuple[Frame, Behind]:
    """Return the takers in groups with a giver, and how often they come behind the first one; a share of 0 for none."""
    first = rows["place"].where(is_giver).groupby(rows["group"]).transform("min")
    givers = is_giver.groupby(rows["group"]).transform("sum")
    takers = rows[is_taker & ~is_giver & (givers > 0)]
    if takers.empty:
        return takers, Behind(0.0, 0.0)
    is_behind = takers["place"] > first[takers.index]
    chance = givers[takers.index] / (givers[takers.index] + 1)
    by_group = (is_behind - chance).groupby(takers["group"]).mean()
    spread = (chance * (1 - chance)).groupby(takers["group"]).mean()
    return takers, Behind(float(is_behind.mean()), float(by_group.sum()) / math.sqrt(float(spread.sum())))
