"""Import of foreign rows, of any format of formats/, and export.

The format is that of the first row unless a person names one; a mapping gives columns their names before that. A row
needs `problem_id`, `messages` and `reward` or `correct`; the rest is filled with the neutral value and reported,
so that a person knows what a diagnostic could not see. OpenAI-style messages are taken as they come:
`tool_calls[].function` with arguments as JSON text, `tool_call_id`, content in parts. A column that the schema does
not name is kept in `extra`. A malformed row ends the import with its file and line; rows are never skipped.
"""

import json
import math
import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
from pydantic import ValidationError

from evotrainer.errors import EvidenceError
from evotrainer.evidence.foreign_files import read_files
from evotrainer.evidence.formats import FORMATS, JSON_ONLY, OWN, find_format, recognised
from evotrainer.evidence.schema import to_table, trajectory_values
from evotrainer.records import Trajectory

_FIELDS = frozenset(Trajectory.model_fields)
_SORTED_FIELDS = sorted(_FIELDS)
_FOUND_OR_COUNTED = frozenset({"trajectory_id", "attempt"})
_ROLES = {"developer": "system", "function": "tool"}
_CUT = frozenset({"max_tokens", "length", "truncation", "truncated", "max_turns"})
_PLAIN = frozenset({bool, int, float, type(None)})
_OF_MESSAGES = ("ok", "num_tokens", "mean_logprob")
_MAX_DEPTH = 100
"""Levels of objects and lists in a column."""
_STEP_IN_NAME = re.compile(r"(\d+)\.jsonl(?::\d+)?$")
_DEFAULTS: dict[str, Any] = {
    "campaign": "foreign",
    "version": "foreign",
    "split": "train",
    "step": 0,
    "domain": "foreign",
    "seed": 0,
    "policy_id": "",
    "stop_reason": "unknown",
}
# Absent they mean "not known", which is what a diagnostic should take them for.
_NULLABLE = frozenset(
    {
        "reward",
        "correct",
        "advantage",
        "in_loss",
        "error",
        "format_ok",
        "duration_seconds",
        "started_at",
        "reward_terms",
        "extra",
    }
)


@dataclass(frozen=True)
class ForeignRows:
    """Imported rows; `notes` name missing columns and columns kept in `extra`, with numbers of rows."""

    rows: list[Trajectory]
    notes: list[str]


def import_rows(path: Path, source: str = "", columns: Mapping[str, str] | None = None) -> ForeignRows:
    """Read all trajectories of a file or a folder of files; arguments and errors are those of RowStream."""
    stream = RowStream(path, source, columns)
    return ForeignRows(list(stream), stream.notes)


class RowStream:
    """Trajectories of a file or a folder of files, one at a time; iterated once, it has its notes.

    Args:
        path: JSONL, Parquet, or inspect's logs (foreign_files.py).
        source: the format, by its name in formats/; empty: that of the first row.
        columns: {our name: name in the file}, which may lead into an object, like info.reward.

    Raises:
        EvidenceError: a file cannot be read, or a row is malformed; names file and line (JSONL) or row (Parquet).

    """

    def __init__(self, path: Path, source: str = "", columns: Mapping[str, str] | None = None) -> None:
        """Remember what to read."""
        if source:
            find_format(source)
        self._path, self._source, self._columns = path, source, columns or {}
        self._missing: Counter[str] = Counter()
        self._others: Counter[str] = Counter()
        self._places: dict[str, int] = {}

    def __iter__(self) -> Iterator[Trajectory]:
        """Yield the rows as they are read."""
        attempts: Counter[tuple[Any, Any, Any]] = Counter()
        for number, (where, values) in enumerate(read_files(self._path)):
            if not isinstance(values, dict):
                raise EvidenceError(f"{where}: a row is a JSON object, this one is a {type(values).__name__}")
            named = _renamed(values, self._columns, where)
            self._source = self._source or recognised(named, where)
            row = _row(_read(named, self._source, where), where, attempts, self._missing, self._others)
            if self._places.setdefault(row.trajectory_id, number) != number:
                raise EvidenceError(f"{where}: trajectory_id '{row.trajectory_id}' is that of {self._place(row)}")
            yield row
        if not self._places:
            raise EvidenceError(f"{self._path} holds no trajectories")

    def _place(self, row: Trajectory) -> str:
        """Return where the first row with this row's id stands: numbers are kept, places are found again."""
        return next(islice(read_files(self._path), self._places[row.trajectory_id], None))[0]

    @property
    def notes(self) -> list[str]:
        """What the rows that were read lack, and what of them is kept in `extra`."""
        total = len(self._places)
        others = [f"{note} ({count} of {total} rows)" for note, count in sorted(self._others.items())]
        known = [] if self._source == OWN else [f"read as {self._source} ({FORMATS[self._source].keys})"]
        return [*known, *_folded(self._missing, total), *others]


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


def _renamed(values: dict[str, Any], columns: Mapping[str, str], where: str) -> dict[str, Any]:
    """Return a row whose columns have the names that a mapping gives them."""
    if not columns:
        return values
    named = {}
    for ours, theirs in columns.items():
        value: Any = values
        for part in [theirs] if theirs in values else theirs.split("."):
            if not isinstance(value, dict) or part not in value:
                known = ", ".join(values) or "none"
                raise EvidenceError(f"{where}: the mapping of '{ours}' names '{theirs}', the row has {known}")
            value = value[part]
        named[ours] = value
    return {key: value for key, value in values.items() if key not in columns.values()} | named


def _read(values: dict[str, Any], source: str, where: str) -> dict[str, Any]:
    """Return a row's columns by our names; raises EvidenceError where it is no row of that format."""
    if source == OWN:
        return values
    if not FORMATS[source].is_row(values):
        known = ", ".join(values) or "none"
        raise EvidenceError(f"{where}: no row of {source}, which has {FORMATS[source].keys}: the row has {known}")
    row = FORMATS[source].read(values)
    named = _STEP_IN_NAME.search(where) if FORMATS[source].is_step_in_name else None
    return {"step": int(named.group(1)), **row} if named else row


def _row(
    values: dict[str, Any],
    where: str,
    attempts: Counter[tuple[Any, Any, Any]],
    missing: Counter[str],
    notes: Counter[str],
) -> Trajectory:
    """Return the record of one foreign row, missing fields filled and noted."""
    row: dict[str, Any] = {key: value for key, value in values.items() if key in _FIELDS}
    for key in ("problem_id", "messages"):
        if row.get(key) is None:
            raise EvidenceError(f"{where}: '{key}' is missing")
    if row.get("reward") is None and row.get("correct") is None and row.get("error") is None:
        raise EvidenceError(f"{where}: 'reward' and 'correct' are both missing: give one, or 'error'")
    row["messages"] = _messages(row["messages"], where)
    row["reward_terms"] = _terms(row.get("reward_terms"), where)
    row["extra"] = _extra(values, row, where, notes)
    if absent := _FIELDS - values.keys() - _FOUND_OR_COUNTED:
        missing.update(absent)
    _fill(row, where, attempts)
    for key in ("reward", "correct", "advantage"):
        if isinstance(row.get(key), float) and not math.isfinite(row[key]):
            raise EvidenceError(f"{where}: '{key}' is {row[key]}: give a finite number or null")
    _refuse_unstorable(row, where)
    try:
        return Trajectory(**row)
    except ValidationError as error:
        first = error.errors()[0]
        field = ".".join(map(str, first["loc"]))
        raise EvidenceError(f"{where}: '{field}': {first['msg']} (got {str(first['input'])[:60]!r})") from None


def _refuse_unstorable(row: dict[str, Any], where: str) -> None:
    """Raise EvidenceError for what no Parquet file holds: numbers beyond 64 bits, broken text, endless nesting."""
    for key, value in row.items():
        if value is None or isinstance(value, float) or _is_plain(value):
            continue
        if isinstance(value, int) and not -(2**63) <= value < 2**63:
            raise EvidenceError(f"{where}: '{key}' is {value}: give a number of 64 bits")
        if key in ("messages", "extra") or isinstance(value, str):
            try:
                depth = _checked_depth(value)
            except UnicodeEncodeError:
                raise EvidenceError(f"{where}: the row holds half of a surrogate pair in '{key}'") from None
            if depth > _MAX_DEPTH:
                raise EvidenceError(f"{where}: '{key}' is nested too deeply: at most {_MAX_DEPTH} levels")


def _is_plain(value: Any) -> bool:
    """Tell whether a value is of ASCII text, truth values and floats, in lists of objects of them at most."""
    if isinstance(value, dict):
        inner = value.values()
        return "".join(value).isascii() and all(
            type(one) in _PLAIN or (type(one) is str and one.isascii()) or one == [] for one in inner
        )
    if isinstance(value, list):
        return all(isinstance(one, dict) and _is_plain(one) for one in value)
    return isinstance(value, str) and value.isascii()


def _checked_depth(value: Any) -> int:
    """Return how deeply a value is nested, level by level; raises UnicodeEncodeError for text that is no Unicode."""
    level, depth = [value], 0
    while level and depth <= _MAX_DEPTH:
        inner: list[Any] = []
        for one in level:
            if isinstance(one, str):
                if not one.isascii():
                    one.encode()
            elif isinstance(one, dict):
                inner.extend(one)
                inner.extend(one.values())
            elif isinstance(one, list):
                inner.extend(one)
        level, depth = inner, depth + 1
    return depth


def _fill(row: dict[str, Any], where: str, attempts: Counter[tuple[Any, Any, Any]]) -> None:
    """Add what a row leaves out, in place; null counts as missing, without a note."""
    missing = [key for key in _SORTED_FIELDS if row.get(key) is None]
    for key in missing:
        if key not in _NULLABLE:
            row.pop(key, None)
        if key in _DEFAULTS:
            row[key] = _DEFAULTS[key]
    if "group_id" in missing:
        row["group_id"] = f"{row['version']}/{row['step']}/{row['problem_id']}"
    group = (row["version"], row["step"], row["group_id"])
    row.setdefault("attempt", attempts[group])
    attempts[group] += 1
    if "trajectory_id" in missing:
        row["trajectory_id"] = where.rsplit("/", 1)[-1]
    if "num_turns" in missing or "num_tokens" in missing:
        said = [message for message in row["messages"] if message.get("role") == "assistant"]
        row.setdefault("num_turns", len(said))
        row.setdefault("num_tokens", sum(message.get("num_tokens") or 0 for message in said))
    row.setdefault("is_truncated", row["stop_reason"] in _CUT)


def _terms(terms: Any, where: str) -> dict[str, float]:
    """Return reward terms given as an object or as Parquet's list of pairs; a null of a struct column is no term."""
    terms = _parsed(terms, f"{where}: 'reward_terms'") if isinstance(terms, str) else terms
    pairs = terms.items() if isinstance(terms, Mapping) else (terms or [])
    try:
        return {name: value for name, value in pairs if value is not None}
    except (TypeError, ValueError):
        raise EvidenceError(f"{where}: 'reward_terms' is an object of numbers by name") from None


def _extra(values: dict[str, Any], row: dict[str, Any], where: str, notes: Counter[str]) -> dict[str, Any]:
    """Return the row's `extra`, joined by the columns that the schema does not name."""
    extra = row.get("extra") or {}
    if isinstance(extra, str):
        extra = _parsed(extra, f"{where}: 'extra'")
    if values.keys() <= _FIELDS:
        return {**extra}
    unknown = {key: value for key, value in values.items() if key not in _FIELDS and value is not None}
    notes.update(f"'{key}' is no column of the schema and is kept in extra" for key in unknown)
    return {**unknown, **extra}


def _parsed(text: str, what: str) -> dict[str, Any]:
    try:
        parsed = json.loads(text)
    except ValueError as error:
        raise EvidenceError(f"{what} is not JSON ({error})") from None
    if not isinstance(parsed, dict):
        raise EvidenceError(f"{what} is a JSON {type(parsed).__name__}, not an object")
    return parsed


def _messages(messages: Any, where: str) -> list[Any]:
    """Return OpenAI-style messages as the fields of Message."""
    if not isinstance(messages, list) or not all(isinstance(message, dict) for message in messages):
        raise EvidenceError(f"{where}: 'messages' is a list of objects with role and content")
    names: dict[str, str] = {}
    return [_message(message, names, where, i) for i, message in enumerate(messages)]


def _message(message: dict[str, Any], names: dict[str, str], where: str, number: int) -> dict[str, Any]:
    role, content, calls = message.get("role"), message.get("content"), message.get("tool_calls")
    named: dict[str, Any] = {
        "role": _ROLES.get(str(role), role),
        "content": content if isinstance(content, str) else _content(content),
        "tool_calls": [_call(call, names, f"{where}: message {number}") for call in calls] if calls else [],
        "tool_name": _tool_name(message, names),
    }
    for key in _OF_MESSAGES:
        if (value := message.get(key)) is not None:
            named[key] = value
    return named


def _tool_name(message: dict[str, Any], names: dict[str, str]) -> Any:
    """Return the tool that a message answers for: by column `tool`, by the id of its call, by OpenAI's older `name`."""
    if message.get("tool_name") is not None or message.get("role") not in ("tool", "function"):
        return message.get("tool_name")
    return names.get(str(message.get("tool_call_id")), message.get("name"))


def _content(content: Any) -> Any:
    """Return text; of content in parts, the text parts."""
    if isinstance(content, list):
        return "".join(str(part.get("text", "")) for part in content if isinstance(part, dict))
    return "" if content is None else content


def _call(call: Any, names: dict[str, str], where: str) -> dict[str, Any]:
    """Return one tool call; arguments that are not JSON are kept under `_text`."""
    if not isinstance(call, dict):
        raise EvidenceError(f"{where}: a tool call is an object with name and arguments")
    function = call.get("function") or call
    arguments = function.get("arguments") or {}
    if isinstance(arguments, str):
        try:
            parsed = json.loads(arguments)
        except (ValueError, RecursionError):
            parsed = arguments
        arguments = parsed if isinstance(parsed, dict) else {"_text": arguments}
    if call.get("id"):
        names[call["id"]] = function.get("name", "")
    return {"name": function.get("name"), "arguments": arguments}
