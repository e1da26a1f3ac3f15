"""Attempts that stand at exactly the largest length, of rows that do not tell why attempts stopped."""

import pandas as pd
import scipy

from evotrainer.diagnosis.context import significantly_above
from evotrainer.diagnosis.texts.named import measured
from evotrainer.diagnosis.thresholds import Thresholds
from evotrainer.evidence.frames import Frame

_MIN_VALUES = 20
_LONG, _MIN_LONG = 0.75, 10
"""Quantile from which attempts are long, and different lengths of these from which a heap can be told from chance."""


def crowds_at_end(rows: Frame, limits: Thresholds) -> dict[str, Frame]:
    """Return {name of a length: which attempts have its largest value}, of lengths where these are too many."""
    return {
        name: is_last
        for name, is_last in _at_end(rows).items()
        if significantly_above(int(is_last.sum()), len(rows), limits.truncation, limits.limit_alpha)
    }


def heaps_at_end(rows: Frame, alpha: float) -> dict[str, Frame]:
    """Return {name of a length: which attempts have its largest value}, of lengths where chance makes no such heap.

    Of long attempts, about as many would have the largest length as have any other one.
    """
    found = {}
    for name, is_last in _at_end(rows).items():
        values = length_of(rows, name)
        is_long = values >= values.quantile(_LONG)
        others, count = values[is_long & ~is_last].nunique(), int(is_last.sum())
        if others >= _MIN_LONG and scipy.stats.binom.sf(count - 1, int(is_long.sum()), 1 / (others + 1)) < alpha:
            found[name] = is_last
    return found


def length_of(rows: Frame, name: str) -> Frame:
    """Return the values of a length that is named as in crowds_at_end."""
    return rows[name].astype(float) if name in rows else measured(rows, "sampled_tokens")[name]


def at_largest_length(rows: Frame) -> Frame:
    """Tell which attempts share the largest value of a length with others: that they were cut is likely."""
    found = pd.Series(False, index=rows.index)
    for is_last in _at_end(rows).values():
        if is_last.sum() > 1:
            found |= is_last
    return found


def _at_end(rows: Frame) -> dict[str, Frame]:
    lengths = {name: rows[name].astype(float) for name in ("num_tokens", "num_chars")}
    lengths |= measured(rows, "sampled_tokens")
    return {name: values == values.max() for name, values in lengths.items() if values.nunique() >= _MIN_VALUES}
