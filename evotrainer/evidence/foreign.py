"""Import of foreign rows: JSONL or Parquet with the columns of docs/evidence.md, and export without loss.

A row needs `problem_id`, `messages` and `reward` or `correct`; the rest is filled with the neutral value and reported,
so that a person knows what a diagnostic could not see. OpenAI-style messages are taken as they come:
`tool_calls[].function` with arguments as JSON text, `tool_call_id`, content in parts. A column that the schema does
not name is kept in `extra`. A malformed row ends the import with its file and line; rows are never skipped.
"""

import json
import math
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
from pydantic import ValidationError

from evotrainer.errors import EvidenceError
from evotrainer.records import Trajectory

_FIELDS = frozenset(Trajectory.model_fields)
_ROLES = {"developer": "system", "function": "tool"}
_CUT = frozenset({"max_tokens", "length", "truncation", "truncated", "max_turns"})
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


def import_rows(path: Path) -> ForeignRows:
    """Read trajectories from a .jsonl or .parquet file.

    Raises:
        EvidenceError: the file cannot be read, or a row is malformed; names file and line (JSONL) or row (Parquet).

    """
    if not path.is_file():
        raise EvidenceError(f"{path} {'is a folder: name a file' if path.is_dir() else 'does not exist'}")
    if path.suffix not in (".jsonl", ".parquet"):
        raise EvidenceError(f"{path}: trajectories come as .jsonl or .parquet")
    read = _jsonl_rows if path.suffix == ".jsonl" else _parquet_rows
    missing: Counter[str] = Counter()
    notes: Counter[str] = Counter()
    attempts: Counter[tuple[Any, Any, Any]] = Counter()
    lines: dict[str, str] = {}
    rows = []
    for where, values in read(path):
        row = _row(values, where, attempts, missing, notes)
        if row.trajectory_id in lines:
            raise EvidenceError(f"{where}: trajectory_id '{row.trajectory_id}' is that of {lines[row.trajectory_id]}")
        lines[row.trajectory_id] = where
        rows.append(row)
    if not rows:
        raise EvidenceError(f"{path} holds no trajectories")
    others = [f"{note} ({count} of {len(rows)} rows)" for note, count in sorted(notes.items())]
    return ForeignRows(rows, [*_folded(missing, len(rows)), *others])


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


def export_rows(rows: Sequence[Trajectory], path: Path) -> None:
    """Write trajectories as JSONL, one row a line; import_rows gives back the same records."""
    with path.open("w", encoding="utf-8") as file:
        for row in rows:
            file.write(json.dumps(row.model_dump(), ensure_ascii=False) + "\n")


def _jsonl_rows(path: Path) -> Iterator[tuple[str, Any]]:
    # Lines end at \n alone: a policy may well emit the other separators that str.splitlines knows.
    for number, line in enumerate(path.read_bytes().split(b"\n"), start=1):
        if not line.strip():
            continue
        try:
            yield f"{path}:{number}", json.loads(line.decode("utf-8"))
        except UnicodeDecodeError:
            raise EvidenceError(f"{path}:{number}: not UTF-8 text") from None
        except (ValueError, RecursionError) as error:
            raise EvidenceError(f"{path}:{number}: not JSON ({error})") from None


def _parquet_rows(path: Path) -> Iterator[tuple[str, Any]]:
    try:
        table = pq.ParquetFile(path).read()
    except (pa.ArrowException, OSError) as error:
        raise EvidenceError(f"{path} is not readable as Parquet ({str(error).splitlines()[0]})") from None
    for number, values in enumerate(table.to_pylist(), start=1):
        yield f"{path} row {number}", values


def _row(
    values: Any, where: str, attempts: Counter[tuple[Any, Any, Any]], missing: Counter[str], notes: Counter[str]
) -> Trajectory:
    """Return the record of one foreign row, missing fields filled and noted."""
    if not isinstance(values, dict):
        raise EvidenceError(f"{where}: a row is a JSON object, this one is a {type(values).__name__}")
    row: dict[str, Any] = {key: value for key, value in values.items() if key in _FIELDS}
    for key in ("problem_id", "messages"):
        if row.get(key) is None:
            raise EvidenceError(f"{where}: '{key}' is missing")
    if row.get("reward") is None and row.get("correct") is None and row.get("error") is None:
        raise EvidenceError(f"{where}: 'reward' and 'correct' are both missing: give one, or 'error'")
    row["messages"] = _messages(row["messages"], where)
    row["reward_terms"] = _terms(row.get("reward_terms"), where)
    row["extra"] = _extra(values, row, where, notes)
    missing.update(_FIELDS - values.keys() - {"trajectory_id", "attempt"})
    _fill(row, where, attempts)
    for key in ("reward", "correct", "advantage"):
        if isinstance(row.get(key), float) and not math.isfinite(row[key]):
            raise EvidenceError(f"{where}: '{key}' is {row[key]}: give a finite number or null")
    try:
        return Trajectory(**row)
    except ValidationError as error:
        first = error.errors()[0]
        field = ".".join(map(str, first["loc"]))
        raise EvidenceError(f"{where}: '{field}': {first['msg']} (got {str(first['input'])[:60]!r})") from None


def _fill(row: dict[str, Any], where: str, attempts: Counter[tuple[Any, Any, Any]]) -> None:
    """Add what a row leaves out, in place; null counts as missing, without a note."""
    missing = [key for key in sorted(_FIELDS) if row.get(key) is None]
    for key in missing:
        if key not in _NULLABLE:
            row.pop(key, None)
    row.update({key: value for key, value in _DEFAULTS.items() if key in missing})
    if "group_id" in missing:
        row["group_id"] = f"{row['version']}/{row['step']}/{row['problem_id']}"
    group = (row["version"], row["step"], row["group_id"])
    row.setdefault("attempt", attempts[group])
    attempts[group] += 1
    row.setdefault("trajectory_id", where.rsplit("/", 1)[-1])
    said = [message for message in row["messages"] if isinstance(message, dict) and message.get("role") == "assistant"]
    row.setdefault("num_turns", len(said))
    row.setdefault("num_tokens", sum(message.get("num_tokens") or 0 for message in said))
    row.setdefault("is_truncated", row["stop_reason"] in _CUT)


def _terms(terms: Any, where: str) -> dict[str, float]:
    """Return reward terms given as an object or as Parquet's list of pairs; a null of a struct column is no term."""
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
    return [_message(message, names, f"{where}: message {i}") for i, message in enumerate(messages)]


def _message(message: dict[str, Any], names: dict[str, str], where: str) -> dict[str, Any]:
    role = message.get("role")
    kept = {key: message[key] for key in ("ok", "num_tokens", "mean_logprob") if message.get(key) is not None}
    return {
        "role": _ROLES.get(str(role), role),
        "content": _content(message.get("content")),
        "tool_calls": [_call(call, names, where) for call in message.get("tool_calls") or []],
        "tool_name": _tool_name(message, names),
        **kept,
    }


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
        except ValueError:
            parsed = arguments
        arguments = parsed if isinstance(parsed, dict) else {"_text": arguments}
    if call.get("id"):
        names[call["id"]] = function.get("name", "")
    return {"name": function.get("name"), "arguments": arguments}
