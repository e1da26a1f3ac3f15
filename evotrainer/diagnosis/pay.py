"""Is a mark paid for? The reward of marked attempts against that of others at the same problem.

Rewards are centred on their group, or on their step where groups hold one attempt, in units of the standard deviation
of all rewards. Groups that hold both marked and unmarked attempts are the independent units.
"""

import math
from dataclasses import dataclass

from evotrainer.evidence.frames import Frame

_MIN_PARTS = 4


@dataclass(frozen=True)
class Pay:
    """What a mark earns."""

    difference: float
    """Reward of marked attempts minus that of unmarked ones, in standard deviations."""
    z: float
    """The same in standard errors over groups."""


def pay_of(rows: Frame, is_marked: Frame) -> Pay | None:
    """Return what marked attempts earn beyond others; None for too few groups that hold both."""
    rows = rows.assign(_marked=is_marked.astype(bool))[rows["reward"].notna()]
    spread = float(rows["reward"].std()) if len(rows) > 1 else 0.0
    if not spread > 0:
        return None
    size = rows.groupby("group")["group"].transform("size")
    part = "group" if (size >= 2).mean() > 0.5 else "step"
    means = rows.groupby([part, "_marked"])["reward"].mean().unstack()
    if means.shape[1] < 2:
        return None
    gaps = (means[True] - means[False]).dropna() / spread
    if len(gaps) < _MIN_PARTS:
        return None
    error = float(gaps.std()) / math.sqrt(len(gaps))
    return Pay(float(gaps.mean()), float(gaps.mean()) / max(error, 1e-9))
