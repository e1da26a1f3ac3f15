"""Import of foreign rows, of any format of formats/, and export.

The format is that of the first row unless a person names one; rows of another one among them, as those of a validation
without advantages, are read by their own. A mapping gives columns their names before that. A measure that counts
(`passed`, of several tests) is no correctness, also where it is 0 or 1: the first rows tell. A row needs `problem_id`,
`messages` and `reward` or `correct`; the rest is filled with the neutral value and reported, so that a person knows
what a diagnostic could not see (foreign_row.py). Messages are taken as they come (foreign_messages.py). A column that
the schema does not name is kept in `extra`. A malformed row ends the import with its file and line; rows are never
skipped.
"""

import difflib
import json
import re
from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import chain, islice
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
from pydantic import ValidationError

from evotrainer.errors import EvidenceError
from evotrainer.evidence.foreign_files import FileRow, fixed_part, is_pattern, read_files
from evotrainer.evidence.foreign_row import row_of, whole_row
from evotrainer.evidence.foreign_table import ForeignRows, read_foreign_rows
from evotrainer.evidence.formats import FORMATS, JSON_ONLY, NEAR_OURS, OWN, find_format, format_of, recognised
from evotrainer.evidence.formats.base import graded_measures
from evotrainer.evidence.formats.shapes import listed, misfit, short
from evotrainer.evidence.schema import to_table, trajectory_values
from evotrainer.records import Trajectory

__all__ = [
    "ForeignRows",
    "ImportedRows",
    "RowStream",
    "check_mapping",
    "export_rows",
    "import_rows",
    "read_foreign_rows",
]

_MAX_PARTIAL = 8
"""Rows in a row that lack something, from which on none is looked at for being whole."""
_LOOKED_AHEAD = 256
"""First rows, by which it is told whether a measure is a mark of right or wrong."""
_STEP_IN_NAME = re.compile(r"(\d+)\.jsonl(?::\d+)?$")
_STEP_IN_FOLDER = re.compile(r"(?:^|[/_-])step[_-]?(\d+)(?=/)")
"""prime-rl: rollouts/step_12/train_rollouts.jsonl."""


@dataclass(frozen=True)
class ImportedRows:
    """Imported rows; `notes` name missing columns and columns kept in `extra`, with numbers of rows."""

    rows: list[Trajectory]
    notes: list[str]


def import_rows(path: Path, source: str = "", columns: Mapping[str, str] | None = None) -> ImportedRows:
    """Read all trajectories of a file, a folder or a pattern of files; arguments and errors are those of RowStream."""
    stream = RowStream(path, source, columns)
    return ImportedRows(list(stream), stream.notes)


class RowStream:
    """Trajectories of a file, a folder or a pattern of files, one at a time; iterated once, it has its notes.

    Args:
        path: JSONL, Parquet, or inspect's logs (foreign_files.py).
        source: the format, by its name in formats/; empty: that of the first row, and its own for a row that is none.
        columns: {our name: name in the file}, which may lead into an object, like info.reward.

    Raises:
        EvidenceError: a file cannot be read, a name of ours is misspelt, or a row is malformed; names file and line
            (JSONL) or row (Parquet).

    """

    def __init__(self, path: Path, source: str = "", columns: Mapping[str, str] | None = None) -> None:
        """Remember what to read."""
        if source:
            find_format(source)
        check_mapping(columns or {})
        self._path, self._source, self._columns = path, source, columns or {}
        self._is_insisted = bool(source)
        self._sources: Counter[str] = Counter()
        self._missing: Counter[str] = Counter()
        self._others: Counter[str] = Counter()
        self._places: dict[str, int] = {}
        self._attempts: Counter[tuple[Any, Any, Any]] = Counter()
        self._num_partial = 0
        self._first: list[FileRow] = []
        self._fixed = fixed_part(path) if is_pattern(path) else ""

    def __iter__(self) -> Iterator[Trajectory]:
        """Yield the rows as they are read."""
        reads = read_files(self._path)
        self._first = list(islice(reads, _LOOKED_AHEAD))
        for number, read in enumerate(chain(self._first, reads)):
            row = self._whole(read) or self._filled(read)
            if self._places.setdefault(row.trajectory_id, number) != number:
                name, first = short(row.trajectory_id), self._place(row)
                raise EvidenceError(
                    f"{read.where}: trajectory_id '{name}' is that of {first}: make the ids unique, or name "
                    "one file where two hold the same attempts"
                )
            yield row
        if not self._places:
            raise EvidenceError(f"{self._path} holds no trajectories")

    def _whole(self, read: FileRow) -> Trajectory | None:
        """Return a row that is a record as its line stands; None for another, and where rows have not been for long."""
        if self._source != OWN or self._columns or not read.is_plain or self._num_partial >= _MAX_PARTIAL:
            return None
        row = whole_row(read.text)
        if row is None:
            self._num_partial += 1
            return None
        self._num_partial = 0
        self._attempts[row.version, row.step, row.group_id] += 1
        return row

    def _filled(self, read: FileRow) -> Trajectory:
        """Return any row, with what it lacks filled in."""
        where, values = read.where, read.values
        if not isinstance(values, dict):
            raise EvidenceError(f"{where}: a row is a JSON object, this one is a {type(values).__name__}")
        named = _renamed(values, self._columns, where)
        source = self._format(named, where)
        ours, is_plain = _read(named, source, where, self._graded), read.is_plain and not self._columns
        if self._fixed and ours.get("trajectory_id") is None:  # files of several folders may have one name
            ours = {**ours, "trajectory_id": where.removeprefix(self._fixed)}
        return row_of(ours, where, self._attempts, self._missing, self._others, is_plain)

    def _format(self, named: dict[str, Any], where: str) -> str:
        """Return the format of a row: the first row's where it has that form, or a person insists."""
        self._source = self._source or recognised(named, where)
        is_first = self._source == OWN or self._is_insisted or FORMATS[self._source].is_row(named)
        source = self._source if is_first else format_of(named) or self._source
        self._sources[source] += 1
        return source

    @cached_property
    def _graded(self) -> set[str]:
        """Names like `passed` that hold a count or a share in some of the first rows."""
        rows = (read.values for read in self._first)
        return {name for row in rows if isinstance(row, dict) for name in graded_measures(row)}

    def _place(self, row: Trajectory) -> str:
        """Return where the first row with this row's id stands: numbers are kept, places are found again."""
        return next(islice(read_files(self._path), self._places[row.trajectory_id], None)).where

    @property
    def notes(self) -> list[str]:
        """What the rows that were read lack, and what of them is kept in `extra`."""
        total = len(self._places)
        others = [f"{note} ({count} of {total} rows)" for note, count in sorted(self._others.items())]
        return [*self._read_as(total), *_folded(self._missing, total), *others]

    def _read_as(self, total: int) -> list[str]:
        """Return the formats that rows were read in, each with its keys; none where all are in ours."""
        if len(self._sources) <= 1:
            return [] if self._source == OWN else [f"read as {self._source} ({FORMATS[self._source].keys})"]
        return [
            f"read as {name} ({count} of {total} rows; {FORMATS[name].keys})"
            for name, count in self._sources.most_common()
        ]


def _folded(missing: Mapping[str, int], num_rows: int) -> list[str]:
    """Return one note of all columns that were missing, those of most rows first; none where none was."""
    named: dict[int, list[str]] = {}
    for key, count in sorted(missing.items()):
        named.setdefault(count, []).append(f"'{key}'")
    parts = [
        f"{', '.join(keys)} {'is' if len(keys) == 1 else 'are'} missing ({count} of {num_rows} rows)"
        for count, keys in sorted(named.items(), reverse=True)
    ]
    return ["; ".join(parts)] if parts else []


def export_rows(rows: Sequence[Trajectory], path: Path, target: str = OWN) -> None:
    """Write trajectories in a format, as Parquet or JSONL by the file's ending.

    In our own format import_rows gives back the same records. The others keep what they have columns for, and our
    names for what identifies an attempt.
    """
    write = find_format(target).write
    if path.suffix == ".parquet" and target in JSON_ONLY:
        raise EvidenceError(f"{path}: {target} writes JSON: name a file that ends in .jsonl")
    values = [write(row) for row in rows]
    if path.suffix == ".parquet":
        pq.write_table(_table(rows, values, target), path)
        return
    with path.open("w", encoding="utf-8") as file:
        for row in values:
            file.write(json.dumps(row, ensure_ascii=False) + "\n")


def _table(rows: Sequence[Trajectory], values: list[dict[str, Any]], target: str) -> pa.Table:
    if target == OWN:
        return to_table("trajectories", [trajectory_values(row) for row in rows])
    names = dict.fromkeys(name for row in values for name in row)
    return pa.Table.from_pylist([{name: _cell(row.get(name)) for name in names} for row in values])


def _cell(value: Any) -> Any:
    """Return a value for a Parquet column: objects, whose keys differ from row to row, as JSON text."""
    return json.dumps(value, ensure_ascii=False) if isinstance(value, dict) else value


def check_mapping(columns: Mapping[str, str], where: str = "the mapping") -> None:
    """Raise EvidenceError for a mapping to a name that is like one of ours; any other is kept, as is a row's column."""
    for name in columns:
        near = difflib.get_close_matches(name, Trajectory.model_fields, n=1, cutoff=0.8)
        if near and name not in Trajectory.model_fields and name not in NEAR_OURS:
            raise EvidenceError(f"{where} names '{short(name)}', no column of ours: did you mean {near[0]}?")


def _renamed(values: dict[str, Any], columns: Mapping[str, str], where: str) -> dict[str, Any]:
    """Return a row whose columns have the names that a mapping gives them."""
    if not columns:
        return values
    named = {}
    for ours, theirs in columns.items():
        value: Any = values
        for part in [theirs] if theirs in values else theirs.split("."):
            if not isinstance(value, dict) or part not in value:
                has = f"the row has {listed(values)}"
                raise EvidenceError(f"{where}: the mapping of '{ours}' names '{short(theirs)}', {has}")
            value = value[part]
        named[ours] = value
    return {key: value for key, value in values.items() if key not in columns.values()} | named


def _read(values: dict[str, Any], source: str, where: str, graded: Collection[str]) -> dict[str, Any]:
    """Return a row's columns by our names; raises EvidenceError where it is no row of that format."""
    if source == OWN:
        return values
    if not FORMATS[source].is_row(values):
        has = f"the row has {listed(values)}"
        raise EvidenceError(f"{where}: no row of {source}, which has {FORMATS[source].keys}: {has}")
    try:
        row = FORMATS[source].read(values, graded)
    except ValidationError as error:
        raise misfit(error, values, where) from None
    named = None if row.get("step") is not None else _step_of(where, FORMATS[source].is_step_in_name)
    return row if named is None else {**row, "step": named}


def _step_of(where: str, is_in_name: bool) -> int | None:
    """Return the step that the name of a file or a folder says; None for none."""
    named = _STEP_IN_NAME.search(where) if is_in_name else None
    found = [named.group(1)] if named else _STEP_IN_FOLDER.findall(where)
    return int(found[-1]) if found else None
