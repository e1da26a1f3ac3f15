"""Attempts as columns: the one way to read many rows, stored by a campaign or written by another system.

`Rows` holds an Arrow table with one row an attempt. Numbers are read as numpy arrays (null is NaN), groups and problems
as integer codes. A record is made only where one is asked for, so that 100,000 rows cost what their columns cost.

Rows of a campaign have the schema of trajectories (schema.py), messages included. Rows of other systems (foreign/)
have plain columns, each reward term as `term_<name>`, and their messages in a table of their own.
"""

import json
import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from evotrainer.evidence.schema import TERM_PREFIX, features_table, to_table, trajectory_from_values, trajectory_values
from evotrainer.evidence.store import read_table
from evotrainer.records import Message, ToolCall, Trajectory

EXTRA_PREFIX = "x."
"""Columns of another system that have no name of ours."""
_BATCH = 1024
"""Records that are made at a time when all are asked for."""
_ABSENT: dict[str, Any] = {
    "campaign": "foreign",
    "domain": "foreign",
    "seed": 0,
    "step": 0,
    "policy_id": "",
    "stop_reason": "unknown",
    "num_tokens": 0,
    "num_turns": 0,
    "is_truncated": False,
}
"""Fields of a record that cannot be null, and what a record has where another system's column is."""


@dataclass(frozen=True, eq=False)
class Labels:
    """A text column as numbers: `codes` [rows] count its distinct texts in the order in which they first appear."""

    codes: np.ndarray
    names: list[str]


@dataclass(frozen=True, eq=False)
class Rows:
    """Attempts of one table, which iterate as records."""

    table: pa.Table = field(repr=False)
    features: pa.Table | None = field(default=None, repr=False)
    """The stored features, row by row; None where they are computed."""
    spoken: pa.Table | None = field(default=None, repr=False)
    """The messages of rows of another system, by `place`; None where the table of attempts holds them."""

    @classmethod
    def of(cls, rows: "Sequence[Trajectory] | Rows") -> "Rows":
        """Return records as rows; rows as they are."""
        return rows if isinstance(rows, Rows) else cls(to_table("trajectories", [trajectory_values(r) for r in rows]))

    @classmethod
    def read(cls, directory: Path) -> "Rows":
        """Return all attempts of an evidence directory, by step; raises EvidenceError for a damaged file."""
        table, features = read_table(directory, "trajectories"), read_table(directory, "features")
        is_aligned = table["trajectory_id"].combine_chunks() == features["trajectory_id"].combine_chunks()
        return cls(table, features if is_aligned else None)

    def __len__(self) -> int:
        """Return the number of rows."""
        return self.table.num_rows

    def __iter__(self) -> Iterator[Trajectory]:
        """Yield the records."""
        for start in range(0, len(self), _BATCH):
            yield from self.records(range(start, min(start + _BATCH, len(self))))

    def records(self, places: Iterable[int] | np.ndarray) -> list[Trajectory]:
        """Return the records at these places, in their order."""
        chosen = self.table.take(pa.array(places, pa.int64()))
        if self.spoken is None:
            return [trajectory_from_values(values) for values in chosen.to_pylist()]
        wanted = pc.call_function("is_in", [self.messages["place"]], pc.SetLookupOptions(chosen["place"]))
        spoken: dict[int, list[dict[str, Any]]] = {}
        for message in self.messages.filter(wanted).to_pylist():
            spoken.setdefault(message["place"], []).append(message)
        return [_record(values, spoken.get(values["place"], [])) for values in chosen.to_pylist()]

    def where(self, is_wanted: np.ndarray) -> "Rows":
        """Return the rows for which the booleans [rows] hold."""
        if is_wanted.all():
            return self
        mask = pa.array(is_wanted)
        features = None if self.features is None else self.features.filter(mask)
        return Rows(self.table.filter(mask), features, self.spoken)

    def has(self, name: str) -> bool:
        """Tell whether there is a column of that name with any value."""
        return name in self.table.column_names and self.table[name].null_count < len(self)

    def numbers(self, name: str) -> np.ndarray:
        """Return a column of numbers or truth values as floats, NaN where it is null or absent."""
        if name not in self.table.column_names:
            return np.full(len(self), np.nan)
        return to_array(self.table[name]).astype(np.float64)

    def by(self, labels: Labels) -> list[np.ndarray]:
        """Return the places of the rows of each code, like those of `problem` or `group`."""
        order = np.argsort(labels.codes, kind="stable")
        ends = np.cumsum(np.bincount(labels.codes, minlength=len(labels.names)))
        return np.split(order, ends[:-1]) if len(ends) else []

    def frame(self) -> Any:
        """Return the pandas frame of frames.py that diagnostics take."""
        from evotrainer.evidence.features import feature_columns
        from evotrainer.evidence.frames import frame_of_tables  # pandas, which replays do without

        features = features_table(feature_columns(list(self))) if self.features is None else self.features
        return frame_of_tables(self.table, features)

    @property
    def messages(self) -> pa.Table:
        """Messages of rows of another system, by `place` (foreign/messages.py)."""
        if self.spoken is None:
            raise ValueError("stored rows hold their messages in the table of attempts")
        return self.spoken

    @cached_property
    def is_graded(self) -> np.ndarray:
        """Whether a row has a reward and an outcome, and no infrastructure error."""
        is_lost = to_array(pc.call_function("is_valid", [self.table["error"]]))
        return ~(is_lost | np.isnan(self.reward) | np.isnan(self.correct))

    @cached_property
    def graded(self) -> "Rows":
        """Rows with a reward and an outcome, and without an infrastructure error."""
        return self.where(self.is_graded)

    @cached_property
    def reward(self) -> np.ndarray:
        """Stored reward, NaN where there is none."""
        return to_array(self.table["reward"])

    @cached_property
    def correct(self) -> np.ndarray:
        """Outcome, 0 or 1; NaN where it is not known."""
        return to_array(self.table["correct"])

    @cached_property
    def is_truncated(self) -> np.ndarray:
        """Whether a limit cut the attempt."""
        return to_array(self.table["is_truncated"])

    @cached_property
    def group(self) -> Labels:
        """The group of each row."""
        return labels_of(self.table["group_id"])

    @cached_property
    def problem(self) -> Labels:
        """The problem of each row."""
        return labels_of(self.table["problem_id"])

    @cached_property
    def family(self) -> Labels:
        """The problem family of each row; empty where it has none."""
        table = self.features if self.features is not None else self.table
        if "family" in table.column_names:
            return labels_of(table["family"])
        families = [str(row.extra.get("family", "")) for row in self]
        return labels_of(pa.chunked_array([pa.array(families, pa.string())]))


def one_array(column: pa.Array | pa.ChunkedArray) -> Any:
    """Return a column as one array; texts of more than two gigabytes stay several."""
    return column.combine_chunks() if isinstance(column, pa.ChunkedArray) else column


def is_number(kind: pa.DataType) -> bool:
    """Tell whether values of a type are numbers or truth values."""
    return pa.types.is_integer(kind) or pa.types.is_floating(kind) or pa.types.is_boolean(kind)


def labels_of(column: pa.ChunkedArray) -> Labels:
    """Return a text column as codes and names."""
    encoded = one_array(one_array(column).dictionary_encode())
    return Labels(to_array(encoded.indices).astype(np.int64), encoded.dictionary.to_pylist())


def mean_by(labels: Labels, values_N: np.ndarray) -> dict[str, float]:
    """Return the mean of a column by label, labels in the order in which they first appear."""
    totals = np.bincount(labels.codes, weights=values_N, minlength=len(labels.names))
    return dict(zip(labels.names, (totals / np.bincount(labels.codes, minlength=len(totals))).tolist(), strict=True))


def combined(*keys: np.ndarray) -> np.ndarray:
    """Return one code for each distinct combination of keys."""
    codes = np.unique(keys[0], return_inverse=True)[1].astype(np.int64)
    for key in keys[1:]:
        more = np.unique(key, return_inverse=True)[1].astype(np.int64)
        codes = np.unique(codes * (more.max(initial=0) + 1) + more, return_inverse=True)[1].astype(np.int64)
    return codes


def to_array(column: pa.Array | pa.ChunkedArray) -> np.ndarray:
    """Return a column of numbers or truth values, [rows]; null becomes NaN, and numbers with nulls are floats.

    Arrow's own conversion imports pandas, which costs a stage a third of a second.
    """
    values = one_array(column)
    if pa.types.is_boolean(values.type):
        values = values.cast(pa.uint8())
        if not values.null_count:
            return np.from_dlpack(values).astype(bool)
    if values.null_count:
        values = pc.call_function("coalesce", [values.cast(pa.float64(), safe=False), pa.scalar(math.nan)])
    return np.from_dlpack(values)


def map_arrays(column: pa.ChunkedArray) -> dict[str, np.ndarray]:
    """Return {name: float [rows]} of a column of maps, names sorted; NaN where a row's map lacks the name."""
    maps = one_array(column)
    keys = maps.keys.dictionary_encode()
    values = np.full((len(keys.dictionary), len(maps)), np.nan)
    rows = np.repeat(np.arange(len(maps)), np.diff(to_array(maps.offsets)))
    values[to_array(keys.indices), rows] = to_array(maps.items)
    return dict(sorted(zip(keys.dictionary.to_pylist(), values, strict=True)))


def _record(values: Mapping[str, Any], spoken: Sequence[Mapping[str, Any]]) -> Trajectory:
    """Return the record of one row of another system."""
    known = {name: values[name] for name in Trajectory.model_fields if values.get(name) is not None}
    terms = {name.removeprefix(TERM_PREFIX): values[name] for name in values if name.startswith(TERM_PREFIX)}
    extra = {name.removeprefix(EXTRA_PREFIX): values[name] for name in values if name.startswith(EXTRA_PREFIX)}
    extra |= {"ground_truth": values.get("gold"), "answer": values.get("answer"), "family": values.get("family")}
    return Trajectory(
        **{
            **_ABSENT,
            **known,
            "messages": _messages(spoken),
            "reward_terms": {name: value for name, value in terms.items() if value is not None},
            "extra": {name: value for name, value in extra.items() if value is not None},
        }
    )


def _messages(spoken: Sequence[Mapping[str, Any]]) -> list[Message]:
    """Return messages with their calls; what an assistant said in the prompt, the policy did not write."""
    found: list[dict[str, Any]] = []
    for one in spoken:
        if one["role"] == "call" and found:
            found[-1]["tool_calls"].append(ToolCall(name=one["tool"] or "", arguments=_arguments(one["arguments"])))
            continue
        is_shown = one["role"] == "assistant" and not one["is_policy"]
        known = {name: one[name] for name in ("ok", "num_tokens", "mean_logprob")}
        text = f"assistant:\n{one['text']}" if is_shown else one["text"] or ""
        role = "user" if is_shown else one["role"]
        found.append({"role": role, "content": text, "tool_calls": [], "tool_name": one["tool"], **known})
    return [Message(**one) for one in found]


def _arguments(text: str | None) -> dict[str, Any]:
    try:
        found = json.loads(text or "{}")
    except (ValueError, RecursionError):
        return {"_text": text}
    return found if isinstance(found, dict) else {"_text": text}
