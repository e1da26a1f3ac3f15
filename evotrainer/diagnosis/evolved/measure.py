"""Terms of the grammar in memory: their values and their influence values.

Nearly every term is a ratio of sums over rows, or a difference of two. Its influence values, one a unit (a group of
attempts at one problem), are how far each unit moves it; a permutation test permutes them. A quantile moves as the
share below its pooled value does. A spread is a mean over groups already.

Letters: R rows, U units, T terms.
"""

from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from evotrainer.diagnosis.evolved.grammar import Part, Term
from evotrainer.evidence.frames import Frame

Array = npt.NDArray[Any]


class Rows:
    """The columns of a frame as arrays, taken out once."""

    def __init__(self, frame: Frame) -> None:
        self.frame = frame
        self.size = len(frame)
        self.correct = frame["correct"].to_numpy(dtype=float)
        self.families = frame["family"].astype(object).to_numpy()
        _, self.groups = np.unique(frame["group"].to_numpy(), return_inverse=True)
        self.num_groups = int(self.groups.max()) + 1 if self.size else 0
        self._columns: dict[str, Array] = {}

    def column(self, name: str) -> Array:
        """Return a column as floats; NaN where it is not known, or where the rows have no such column."""
        if name not in self._columns:
            known = name in self.frame.columns
            self._columns[name] = self.frame[name].to_numpy(dtype=float) if known else np.full(self.size, np.nan)
        return self._columns[name]

    def mask(self, term: Term, part: Part) -> Array:
        """Return which rows a part of a term is about."""
        mask = np.isfinite(self.column(term.column))
        if term.over:
            mask &= np.isfinite(self.column(term.over))
        if part == "correct":
            mask &= self.correct >= 1
        if part == "wrong":
            mask &= self.correct < 1
        return mask & (self.families == term.family) if term.family else mask


def value_of(term: Term, rows: Rows) -> float:
    """Return a term's value over rows, as its SQL gives it; NaN where it is not measured."""
    if term.statistic == "spread":
        spreads = _spreads(term, rows)
        known = spreads[np.isfinite(spreads)]
        return float(known.mean()) if len(known) else np.nan
    parts: tuple[Part, ...] = ("correct", "wrong") if term.part == "difference" else (term.part,)
    values = [_value_of_part(term, rows, part) for part in parts]
    return values[0] - values[1] if term.part == "difference" else values[0]


def influences(terms: Sequence[Term], rows: Rows) -> Array:
    """Return how far each group moves each term, groups x terms; 0 for groups that a term is not about."""
    columns = [_influence(term, rows) for term in terms]
    return np.column_stack(columns) if columns else np.zeros((rows.num_groups, 0))


def row_feature(term: Term, rows: Rows, part: Part) -> tuple[Array, Array]:
    """Return what each row adds to a term, and which rows the part is about: the value that a mean is taken of.

    A quantile moves as the share above its present value does, a ratio as the divided part less its fair share.
    """
    mask = rows.mask(term, part)
    x = rows.column(term.column)
    if term.statistic == "mean" or not mask.any():
        return x, mask
    if term.statistic == "quantile":
        return np.where(mask, x > np.quantile(x[mask], term.cut), 0.0), mask
    tops, bottoms = _sums(term, rows, mask)
    whole = bottoms.sum() if term.statistic == "ratio" else 0.0
    return (tops - tops.sum() / whole * bottoms if whole else tops), mask


def errors_of(psi_UT: Array) -> Array:
    """Return the standard error of each term's value, by its influence values over independent groups."""
    return np.sqrt((psi_UT**2).sum(axis=0))


def _value_of_part(term: Term, rows: Rows, part: Part) -> float:
    mask = rows.mask(term, part)
    if not mask.any():
        return np.nan
    if term.statistic == "quantile":
        return float(np.quantile(rows.column(term.column)[mask], term.cut))
    tops, bottoms = _sums(term, rows, mask)
    return float(tops.sum() / bottoms.sum()) if bottoms.sum() else np.nan


def _sums(term: Term, rows: Rows, mask: Array) -> tuple[Array, Array]:
    """Return numerator and denominator of a ratio of sums, row by row."""
    x = np.where(mask, rows.column(term.column), 0.0)
    if term.statistic == "ratio":
        return x, np.where(mask, rows.column(term.over), 0.0)
    if term.statistic == "share":
        x = np.where(mask, rows.column(term.column) > term.cut, 0.0)
    return x, mask.astype(float)


def _influence(term: Term, rows: Rows) -> Array:
    if term.statistic == "spread":
        spreads = _spreads(term, rows)
        known = np.isfinite(spreads)
        centred = np.where(known, spreads - (spreads[known].mean() if known.any() else 0.0), 0.0)
        return centred / max(int(known.sum()), 1)
    if term.part == "difference":
        return _influence_of_part(term, rows, "correct") - _influence_of_part(term, rows, "wrong")
    return _influence_of_part(term, rows, term.part)


def _influence_of_part(term: Term, rows: Rows, part: Part) -> Array:
    mask = rows.mask(term, part)
    if not mask.any():
        return np.zeros(rows.num_groups)
    if term.statistic == "quantile":
        bound = np.quantile(rows.column(term.column)[mask], term.cut)
        tops, bottoms = np.where(mask, rows.column(term.column) > bound, 0.0), mask.astype(float)
    else:
        tops, bottoms = _sums(term, rows, mask)
    whole = bottoms.sum()
    if whole == 0:
        return np.zeros(rows.num_groups)
    by_group = np.bincount(rows.groups, tops - tops.sum() / whole * bottoms, rows.num_groups)
    return by_group / whole


def _spreads(term: Term, rows: Rows) -> Array:
    """Return the unbiased standard deviation of the column in each group; NaN below two known values."""
    mask = rows.mask(term, "all")
    x = np.where(mask, rows.column(term.column), 0.0)
    count = np.bincount(rows.groups, mask, rows.num_groups)
    mean = np.divide(
        np.bincount(rows.groups, x, rows.num_groups), count, out=np.zeros(rows.num_groups), where=count > 0
    )
    squares = np.bincount(rows.groups, np.where(mask, (x - mean[rows.groups]) ** 2, 0.0), rows.num_groups)
    return np.where(count >= 2, np.sqrt(squares / np.maximum(count - 1, 1)), np.nan)
