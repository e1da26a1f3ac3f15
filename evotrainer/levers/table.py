"""The features of many attempts as a table, and the columns that a search may use.

A column is a feature, or whether a feature lies above a cut (a quantile of its values). It needs *support*: values that
differ at several problems, on either side. So no column is a word of a single problem, and none is nearly constant.

Legend: R rows, C columns.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from evotrainer.algorithm.code.rows import trajectory_row
from evotrainer.levers.row_features import features
from evotrainer.records import Trajectory

MIN_PROBLEMS = 6
"""Problems at which a column must have its most frequent value, and at which it must have another."""
MIN_SHARE = 0.03
"""Share of rows on either side of a cut, and that have another value than the most frequent one."""
CUTS = (0.1, 0.25, 0.4, 0.5, 0.6, 0.75, 0.9)
FEW_VALUES = 12
"""A feature with at most this many values is cut at each of them."""
PLAIN = ("length", "turn", "has", "num", "tool", "share", "repeat", "overlap")
MAX_COLUMNS = 4000
"""Columns that one search looks at; the best supported ones are taken."""


@dataclass(frozen=True, order=True)
class Column:
    """A feature by name; with `cut`, whether it lies above that value."""

    name: str
    cut: float | None = None

    @property
    def title(self) -> str:
        """The column in words."""
        return self.name if self.cut is None else f"{self.name} above {self.cut:g}"

    def value(self, found: Mapping[str, float]) -> float:
        """Return the column's value of one attempt's features."""
        value = found.get(self.name, 0.0)
        return value if self.cut is None else float(value > self.cut)


@dataclass(frozen=True)
class Table:
    """Values of columns by row, and the problem of each row as a number from 0."""

    columns: tuple[Column, ...]
    values: np.ndarray  # [R, C]
    problems: np.ndarray  # [R]

    def rows(self, places: np.ndarray) -> "Table":
        """Return these rows alone, with all columns."""
        return Table(self.columns, self.values[places], self.problems[places])


def feature_table(rows: Sequence[Trajectory], problems_R: np.ndarray) -> Table:
    """Return the table of all supported columns of these attempts."""
    return table_of([features(trajectory_row(row)) for row in rows], problems_R)


def same_columns(table: Table, rows: Sequence[Trajectory], problems_R: np.ndarray) -> Table:
    """Return the columns of a table for other attempts, whose problems are numbered as the table's."""
    found = [features(trajectory_row(row)) for row in rows]
    values = [[column.value(one) for column in table.columns] for one in found]
    return Table(table.columns, np.array(values).reshape(len(rows), len(table.columns)), problems_R)


def table_of(found: Sequence[Mapping[str, Any]], problems_R: np.ndarray) -> Table:
    """Return the table of features that were computed already, one mapping a row."""
    names = sorted({name for one in found for name in one}, key=_plainness)
    kept: list[tuple[float, Column, np.ndarray]] = []
    seen: set[bytes] = set()
    for name in names:
        values_R = np.array([one.get(name, 0.0) for one in found])
        for cut in (None, *_cuts(values_R)):
            column_R = values_R if cut is None else (values_R > cut).astype(float)
            share = _support(column_R, problems_R)
            key = np.round(column_R, 9).tobytes()
            if share >= MIN_SHARE and key not in seen:
                seen.add(key)
                kept.append((share, Column(name, cut), column_R))
    kept = sorted(kept, key=lambda one: (-one[0], _plainness(one[1].name), one[1].cut or 0.0))[:MAX_COLUMNS]
    values_RC = np.stack([values for _, _, values in kept], axis=1) if kept else np.zeros((len(found), 0))
    return Table(tuple(column for _, column, _ in kept), values_RC, problems_R)


def _plainness(name: str) -> tuple[int, str]:
    """Return the order of features: of columns with equal values the plainest is kept."""
    kind = name.partition(":")[0]
    return PLAIN.index(kind) if kind in PLAIN else len(PLAIN), name


def _cuts(values_R: np.ndarray) -> list[float]:
    """Return the cuts of a feature with more than two values."""
    values = np.unique(values_R)
    if len(values) <= 2:
        return []
    cuts = values[:-1] if len(values) <= FEW_VALUES else np.quantile(values_R, CUTS)
    return sorted({float(f"{cut:.4g}") for cut in cuts})


def _support(column_R: np.ndarray, problems_R: np.ndarray) -> float:
    """Return the share of rows off the most frequent value; 0 where one side stands at too few problems."""
    values, counts = np.unique(column_R, return_counts=True)
    usual_R = column_R == values[counts.argmax()]
    sides = (len(np.unique(problems_R[side])) for side in (usual_R, ~usual_R))
    return float(min(np.mean(usual_R), np.mean(~usual_R))) if min(sides) >= MIN_PROBLEMS else 0.0
