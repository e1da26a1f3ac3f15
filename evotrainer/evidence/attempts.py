"""Stored attempts as columns: arrays over an Arrow table, for replays that read a few numbers of each of many rows.

They are a sequence of records as well. A record is made where one is asked for, so that 100,000 rows cost what their
columns cost.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import overload

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from evotrainer.evidence.arrays import map_arrays, to_array
from evotrainer.evidence.schema import to_table, trajectory_from_values, trajectory_values
from evotrainer.evidence.store import read_table
from evotrainer.records import Trajectory

_BATCH = 1024
"""Records that are made at a time when all are asked for."""


@dataclass(frozen=True, eq=False)
class Labels:
    """A text column as numbers: `codes` [rows] count its distinct texts in the order in which they first appear."""

    codes: np.ndarray
    names: list[str]


@dataclass(frozen=True, eq=False)
class Attempts(Sequence[Trajectory]):
    """Rows of one table under the schema of trajectories."""

    table: pa.Table = field(repr=False)
    families: pa.ChunkedArray | None = field(default=None, repr=False)
    """Family of each row, as the table of features stores it; read from the records where there are no features."""

    @classmethod
    def of(cls, rows: Sequence[Trajectory]) -> "Attempts":
        """Return records as attempts; attempts as they are."""
        if isinstance(rows, Attempts):
            return rows
        return cls(to_table("trajectories", [trajectory_values(row) for row in rows]), _families(rows))

    @classmethod
    def read(cls, directory: Path) -> "Attempts":
        """Return all attempts of an evidence directory, by step; raises EvidenceError for a damaged file."""
        table, features = read_table(directory, "trajectories"), read_table(directory, "features")
        is_aligned = table["trajectory_id"].combine_chunks() == features["trajectory_id"].combine_chunks()
        return cls(table, features["family"] if is_aligned else None)

    def __len__(self) -> int:
        """Return the number of rows."""
        return self.table.num_rows

    @overload
    def __getitem__(self, index: int) -> Trajectory: ...
    @overload
    def __getitem__(self, index: slice) -> list[Trajectory]: ...
    def __getitem__(self, index: int | slice) -> Trajectory | list[Trajectory]:
        """Return one record, or those of a slice."""
        if isinstance(index, slice):
            return self.records(range(len(self))[index])
        return self.records([range(len(self))[index]])[0]

    def __iter__(self) -> Iterator[Trajectory]:
        """Yield the records."""
        for batch in self.table.to_batches(_BATCH):
            yield from map(trajectory_from_values, batch.to_pylist())

    def records(self, places: Iterable[int] | np.ndarray) -> list[Trajectory]:
        """Return the records at these places, in their order."""
        return [trajectory_from_values(values) for values in self.table.take(pa.array(places, pa.int64())).to_pylist()]

    def where(self, is_wanted: np.ndarray) -> "Attempts":
        """Return the rows for which the booleans [rows] hold."""
        if is_wanted.all():
            return self
        mask = pa.array(is_wanted)
        return Attempts(self.table.filter(mask), None if self.families is None else self.families.filter(mask))

    @cached_property
    def graded(self) -> "Attempts":
        """Rows with a reward and an outcome, and without an infrastructure error."""
        is_lost = to_array(pc.call_function("is_valid", [self.table["error"]]))
        return self.where(~(is_lost | np.isnan(self.reward) | np.isnan(self.correct)))

    @cached_property
    def reward(self) -> np.ndarray:
        """Stored reward, NaN where there is none."""
        return to_array(self.table["reward"])

    @cached_property
    def correct(self) -> np.ndarray:
        """Outcome, 0 or 1; NaN where it is not known."""
        return to_array(self.table["correct"])

    @cached_property
    def num_tokens(self) -> np.ndarray:
        """Tokens that the policy sampled."""
        return to_array(self.table["num_tokens"])

    @cached_property
    def is_truncated(self) -> np.ndarray:
        """Whether a limit cut the attempt."""
        return to_array(self.table["is_truncated"])

    @cached_property
    def terms(self) -> dict[str, np.ndarray]:
        """Unweighted reward terms by name; 0 where a row lacks one."""
        found = map_arrays(self.table["reward_terms"])
        return {name: np.where(np.isnan(values), 0.0, values) for name, values in found.items()}

    @cached_property
    def group(self) -> Labels:
        """The group of each row."""
        return _labels(self.table["group_id"])

    @cached_property
    def problem(self) -> Labels:
        """The problem of each row."""
        return _labels(self.table["problem_id"])

    @cached_property
    def family(self) -> Labels:
        """The problem family of each row; empty where it has none."""
        return _labels(_families(self) if self.families is None else self.families)


def _families(rows: Iterable[Trajectory]) -> pa.ChunkedArray:
    return pa.chunked_array([pa.array([str(row.extra.get("family", "")) for row in rows], pa.string())])


def _labels(column: pa.ChunkedArray) -> Labels:
    encoded = column.combine_chunks().dictionary_encode()
    encoded = encoded.combine_chunks() if isinstance(encoded, pa.ChunkedArray) else encoded
    return Labels(to_array(encoded.indices).astype(np.int64), encoded.dictionary.to_pylist())
