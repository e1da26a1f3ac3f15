"""Does a behaviour go with success among attempts at the same problem? An exact test, independent of difficulty.

Within a group (the attempts of one policy at one problem), a mark without meaning falls on a random subset of attempts,
so the number of marked successes is hypergeometric. The sum over groups has the convolution of these distributions, so
its tail is exact for all group sizes and solve rates. The effect size is the Mantel-Haenszel risk difference (Greenland
and Robins 1985).

The test shows association, not cause: a careful attempt may show the mark and succeed.
"""

from collections import Counter
from dataclasses import dataclass

import numpy as np
import pandas as pd
import scipy

from evotrainer.evidence.frames import Frame


@dataclass(frozen=True)
class Excess:
    """How much more often marked attempts succeed than unmarked ones of the same group."""

    difference: float
    """In [-1, 1], weighted over the groups that hold both."""
    p: float
    """Chance of as many successes or more, if the mark means nothing."""
    num_groups: int
    """Groups that hold both marked and unmarked attempts."""


def excess(groups: Frame, is_marked: Frame, is_success: Frame) -> Excess | None:
    """Compare marked and unmarked attempts group by group; None where no group holds both.

    Args:
        groups: the group of each attempt.
        is_marked: whether it shows the behaviour.
        is_success: whether it succeeded.

    """
    marked, success = is_marked.astype(int), is_success.astype(int)
    columns = {"marked": marked, "success": success, "both": marked * success, "size": 1}
    table: Frame = pd.DataFrame(columns).groupby(groups.to_numpy()).sum()
    table = table[(table["marked"] > 0) & (table["marked"] < table["size"])]
    if table.empty:
        return None
    return Excess(_difference(table), _tail(table), len(table))


def _difference(table: Frame) -> float:
    others = table["size"] - table["marked"]
    gained = table["both"] * others - (table["success"] - table["both"]) * table["marked"]
    return float((gained / table["size"]).sum() / (table["marked"] * others / table["size"]).sum())


def _tail(table: Frame) -> float:
    """Return P(sum over groups >= observed) by convolution of the hypergeometric distributions."""
    shapes = Counter(zip(table["size"], table["success"], table["marked"], strict=True))
    distribution = np.ones(1)
    for (size, successes, marked), count in sorted(shapes.items()):
        one = scipy.stats.hypergeom.pmf(np.arange(min(successes, marked) + 1), size, successes, marked)
        for _ in range(count):
            distribution = np.convolve(distribution, one)
    return float(min(1.0, distribution[int(table["both"].sum()) :].sum()))
