"""Marks that go with one value of a column: the value with the largest share of them against all other values."""

from typing import NamedTuple

import scipy

from evotrainer.evidence.frames import Frame


class Uneven(NamedTuple):
    """The value of a column with the largest share of marks."""

    value: object
    there: float
    """Share of marks with that value."""
    others: float
    """Share of marks with all other values."""
    p_value: float
    """Chance of so large a share there, times the number of values that it might have been."""


def most_marked(is_marked: Frame, values: Frame, least: int) -> Uneven | None:
    """Return the value that marks go with, of those that stand `least` times; None where fewer than two do."""
    counts = is_marked.groupby(values).agg(["sum", "size"])
    counts = counts[counts["size"] >= least]
    if len(counts) < 2:
        return None
    worst = (counts["sum"] / counts["size"]).idxmax()
    parts = (counts.loc[worst], counts.drop(worst).sum())
    there, others = (float(part["sum"] / part["size"]) for part in parts)
    table = [[int(part["sum"]), int(part["size"] - part["sum"])] for part in parts]
    chance = float(scipy.stats.fisher_exact(table, alternative="greater").pvalue)
    return Uneven(worst, there, others, chance * len(counts))
