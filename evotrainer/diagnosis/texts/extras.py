"""Columns that a person's rows hold beside ours, kept in `extra`: names of machines, numbers, clocks.

A column is a scalar of `extra`, or of an object in it, that four rows in five hold. Lists of numbers (logprobs by
token) count by their mean, lists of texts by these, set in brackets; an empty one is `[]`. Of long texts the beginning
is kept, and the end apart: what went wrong stands there.
"""

import math
from collections.abc import Iterator, Sequence
from datetime import datetime
from typing import Any

import numpy as np
import pandas as pd

from evotrainer.diagnosis.texts.named import is_own
from evotrainer.diagnosis.texts.own_words import VALUE_CHARS, OwnWords
from evotrainer.diagnosis.texts.transcript import Transcript
from evotrainer.evidence.frames import Frame
from evotrainer.records.checks import CHECKS

_OWN = frozenset({CHECKS, "lenient_correct", "decoding", "family", "answer", "tools"})
_MIN_KNOWN = 0.8
_MAX_COLUMNS, END_CHARS = 64, 240
"""Most columns that are kept, and signs of the end of a long text."""
_EPOCH, _MOST = 1e9, 1e300
_NONE = "[]"
"""An empty list."""


class ExtraColumns:
    """The scalars of `extra` by name, of rows that come in parts."""

    def __init__(self) -> None:
        """Begin without rows."""
        self._columns: dict[str, list[Any]] = {}
        self._ends: dict[str, dict[int, str]] = {}
        self._own_words, self._said = OwnWords(), dict[str, list[bool]]()
        self._num_rows = 0

    def add(self, attempts: Sequence[Transcript]) -> None:
        """Take in attempts, behind those before."""
        for attempt in attempts:
            values = _scalars(attempt.row.extra)
            for name, is_said in self._own_words.of(attempt, values).items():
                said = self._said.setdefault(name, [])
                said += [False] * (self._num_rows - len(said))
                said.append(is_said)
            for name, text in _long_texts(attempt.row.extra).items():
                self._ends.setdefault(name, {})[self._num_rows] = text[-END_CHARS:]
            for name, value in values.items():
                column = self._columns.setdefault(name, [])
                if len(column) < self._num_rows:
                    column += [math.nan] * (self._num_rows - len(column))
                column.append(value)
            self._num_rows += 1

    def frame(self) -> Frame:
        """Return one column a scalar of `extra`, under its name; values are text, numbers or missing."""
        filled = {
            name: _of_one_kind(column) + [math.nan] * (self._num_rows - len(column))
            for name, column in self._columns.items()
        }
        table: Frame = pd.DataFrame(filled, index=pd.RangeIndex(self._num_rows))
        known = [name for name in table.columns if table[name].notna().mean() >= _MIN_KNOWN]
        return table[known[:_MAX_COLUMNS]]

    def ends(self) -> Frame:
        """Return the ends of texts for each column of `frame` with long ones, under its name; short ones are whole."""
        table = self.frame()
        found = {
            name: table[name].where(~table.index.isin(list(ends)), pd.Series(ends, dtype=object))
            for name, ends in self._ends.items()
            if name in table
        }
        return pd.DataFrame(found, index=table.index)

    def said(self) -> Frame:
        """Return for each column of `frame` that holds mostly the policy's own words which rows do, under its name."""
        table, rows = self.frame(), pd.RangeIndex(self._num_rows)
        said = {
            name: pd.Series(said + [False] * (self._num_rows - len(said)), index=rows, dtype=bool)
            for name, said in self._said.items()
            if name in table and any(said)
        }
        return pd.DataFrame({name: one for name, one in said.items() if is_own(table[name], one)}, index=rows)


def started_seconds(started: Sequence[str | None], extras: Frame) -> np.ndarray:
    """Return when each attempt started, in seconds; of columns of `extra`, the first that holds times of day."""
    own = np.array([_seconds(text) for text in started])
    if np.isfinite(own).mean() >= _MIN_KNOWN:
        return own
    for name in extras.columns:
        found = np.array([_seconds(value) for value in extras[name]])
        if np.isfinite(found).mean() >= _MIN_KNOWN and np.nanmin(found) > _EPOCH and len(np.unique(found)) > 2:
            return found
    return own


def _scalars(extra: dict[str, Any]) -> dict[str, Any]:
    kept = {name: _kept(value) for name, value in _values(extra)}
    return {name: value for name, value in kept.items() if value is not None}


def _long_texts(extra: dict[str, Any]) -> dict[str, str]:
    return {name: one for name, one in _values(extra) if isinstance(one, str) and len(one) > VALUE_CHARS}


def _values(extra: dict[str, Any]) -> Iterator[tuple[str, Any]]:
    """Yield the values of `extra`, and those of objects in it under both names."""
    for name, value in extra.items():
        if name in _OWN:
            continue
        if isinstance(value, dict):
            yield from ((f"{name}.{key}", one) for key, one in value.items())
        else:
            yield name, value


def _kept(value: Any) -> Any:
    if isinstance(value, bool | int | float):
        return float(value) if abs(value) < _MOST else None
    if isinstance(value, str):
        return value[:VALUE_CHARS]
    while isinstance(value, list) and len(value) == 1 and isinstance(value[0], list):
        value = value[0]  # one list for each message of the policy
    if isinstance(value, list) and value and all(isinstance(one, int | float) for one in value[:4]):
        numbers = [float(one) for one in value if isinstance(one, int | float) and abs(one) < _MOST]
        return float(np.mean(numbers)) if numbers else None
    if isinstance(value, list) and all(isinstance(one, str) for one in value):
        return f"[{', '.join(value)}]"[:VALUE_CHARS] if value else _NONE
    return None


def _of_one_kind(column: list[Any]) -> list[Any]:
    """Return a column in which an empty list among numbers is missing: it has no mean."""
    if not any(isinstance(value, float) and not math.isnan(value) for value in column):
        return column
    return [math.nan if value == _NONE else value for value in column]


def _seconds(value: Any) -> float:
    if isinstance(value, int | float):
        return float(value) / (1000.0 if value > 1e11 else 1.0)
    if not isinstance(value, str) or len(value) < 16 or not value[:4].isdigit():
        return float("nan")
    try:
        return datetime.fromisoformat(value).timestamp()
    except ValueError:
        return float("nan")
