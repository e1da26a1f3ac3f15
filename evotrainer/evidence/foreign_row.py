"""One foreign row as a Trajectory: what it leaves out is filled and counted, what no file can hold is refused."""

import json
import math
from collections import Counter
from collections.abc import Mapping
from typing import Any

from pydantic import ValidationError

from evotrainer.errors import EvidenceError
from evotrainer.evidence.foreign_files import MAX_DEPTH
from evotrainer.evidence.foreign_messages import loss_by_role, messages_of
from evotrainer.evidence.formats.shapes import misfit, short
from evotrainer.records import Trajectory

MESSAGES_IN_LOSS = "messages_in_loss"
UNGRADED = "no reward was recorded"
"""The error of an attempt without a reward that is kept out of the loss."""
"""Column of `extra`: what share of an attempt's messages the loss holds, by who wrote them."""
_FIELDS = frozenset(Trajectory.model_fields)
_RECORD = Trajectory.__pydantic_validator__
_FOUND_OR_COUNTED = frozenset({"trajectory_id", "attempt"})
_CUT = frozenset({"max_tokens", "length", "truncation", "truncated", "max_turns"})
_STOP_COLUMNS = ("finish_reason", "done_reason", "termination_reason", "stop")
"""Names of others for `stop_reason`."""
_PLAIN = frozenset({bool, int, float, type(None)})
_NESTED = frozenset({"messages", "reward_terms", "extra"})
_KINDS = {dict: "an object", list: "a list"}
_SPLITS = {"eval": "validation", "val": "validation", "valid": "validation", "dev": "validation"}
"""Names of others for splits."""
_LIMIT = 2**63
"""Bound of integers that a file of columns holds."""
_IDS = ("trajectory_id", "problem_id", "group_id", "campaign", "version", "policy_id")
"""Columns of text that others number."""
_DECIMALS = ("reward", "correct", "advantage", "duration_seconds")
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


def whole_row(line: bytes) -> Trajectory | None:
    """Return the record of a plain line that holds every field of one and nothing else; None for any other line.

    It is the record that `row_of` gives, which alone says what another line lacks.
    """
    if b"NaN" in line or b"Infinity" in line:
        return None
    try:
        row = _RECORD.validate_json(line)
    except ValidationError:
        return None
    if len(row.model_fields_set) < len(_FIELDS) or (row.reward is None and row.correct is None and row.error is None):
        return None
    known = [value for value in (row.reward, row.correct, row.advantage, row.duration_seconds) if value is not None]
    numbers = [row.step, row.attempt, row.seed, row.num_turns, row.num_tokens, *known]
    is_storable = min(numbers) >= -_LIMIT and max(numbers) < _LIMIT and not math.isnan(sum(numbers))
    return row if is_storable and _holds_finite(row) else None


def row_of(
    values: dict[str, Any],
    where: str,
    attempts: Counter[tuple[Any, Any, Any]],
    missing: Counter[str],
    notes: Counter[str],
    is_plain: bool = False,
) -> Trajectory:
    """Return the record of one foreign row, missing fields filled and noted; `is_plain` as in foreign_files.py."""
    is_ours = values.keys() <= _FIELDS
    row: dict[str, Any] = {**values} if is_ours else {k: value for k, value in values.items() if k in _FIELDS}
    for key in ("problem_id", "messages"):
        if row.get(key) is None:
            raise EvidenceError(f"{where}: '{key}' is missing")
    if row.get("reward") is None and row.get("correct") is None and row.get("error") is None:
        if row.get("in_loss") not in (False, 0):
            raise EvidenceError(f"{where}: 'reward' and 'correct' are both missing: give one, or 'error'")
        row["error"] = UNGRADED
        notes["out of the loss and without a reward, read as attempts that nobody graded"] += 1
    _refuse_nested(row, where)
    _convert_numbers(row, where)
    if row.get("split") in _SPLITS:
        row["split"] = _SPLITS[row["split"]]
    in_loss = loss_by_role(row["messages"])
    row["messages"] = messages_of(row["messages"], where)
    row["reward_terms"] = _terms(row.get("reward_terms"), where)
    row["extra"] = _extra(values, row, where, notes)
    if in_loss:
        row["extra"].setdefault(MESSAGES_IN_LOSS, in_loss)
    if not is_ours and row.get("stop_reason") is None:
        row["stop_reason"] = next((values[k] for k in _STOP_COLUMNS if isinstance(values.get(k), str)), None)
    found = {"stop_reason"} if row.get("stop_reason") is not None else set()
    if absent := _FIELDS - values.keys() - _FOUND_OR_COUNTED - found:
        missing.update(absent)
    _fill(row, where, attempts)
    for key in _DECIMALS:
        if isinstance(row.get(key), float) and not math.isfinite(row[key]):
            raise EvidenceError(f"{where}: '{key}' is {row[key]}: give a finite number or null")
    _refuse_unstorable(row, where, is_plain and where.isascii())
    _clear_non_finite(row, notes)
    try:
        record = _RECORD.validate_python(row)
    except ValidationError as error:
        raise misfit(error, row, where) from None
    if not _is_finite(record.reward_terms):
        raise EvidenceError(f"{where}: 'reward_terms' hold a number that is not finite: leave that term out")
    return record


def _clear_non_finite(row: dict[str, Any], notes: Counter[str]) -> None:
    """Replace NaN and infinity by null in what is stored as JSON: own measures of a trainer, arguments of calls."""
    for key, value in row["extra"].items():
        if not _is_finite(value):
            row["extra"][key] = _cleared(value)
            notes[f"'{key}' in extra holds NaN or infinity, which is read as null"] += 1
    for message in row["messages"]:
        for call in message["tool_calls"]:
            if not _is_finite(call["arguments"]):
                call["arguments"] = _cleared(call["arguments"])
                notes["arguments of tool calls hold NaN or infinity, which is read as null"] += 1


def _cleared(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: _cleared(inner) for key, inner in value.items()}
    if isinstance(value, list):
        return [_cleared(inner) for inner in value]
    return value if _is_finite(value) else None


def _holds_finite(row: Trajectory) -> bool:
    calls = (call.arguments for message in row.messages for call in message.tool_calls)
    return _is_finite(row.extra) and _is_finite(row.reward_terms) and all(map(_is_finite, calls))


def _is_finite(value: Any) -> bool:
    if isinstance(value, float):
        return math.isfinite(value)
    inner = value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()
    return all(map(_is_finite, inner))


def _refuse_nested(row: dict[str, Any], where: str) -> None:
    """Raise EvidenceError for an object or a list in a column of one value."""
    for key, value in row.items():
        if isinstance(value, dict | list) and key not in _NESTED:
            raise EvidenceError(f"{where}: '{key}' is {_KINDS[type(value)]}, this column holds one value")


def _convert_numbers(row: dict[str, Any], where: str) -> None:
    """Make text of ids that are integers, and floats of integers beyond 64 bits in columns of decimal numbers."""
    for key in _IDS:
        if type(row.get(key)) is int:
            row[key] = str(row[key])
    for key in _DECIMALS:
        value = row.get(key)
        if type(value) is int and not -_LIMIT <= value < _LIMIT:
            try:
                row[key] = float(value)
            except OverflowError:
                raise EvidenceError(f"{where}: '{key}' is {short(value)}: give a finite number or null") from None


def _refuse_unstorable(row: dict[str, Any], where: str, is_plain: bool) -> None:
    """Raise EvidenceError for what no Parquet file holds: numbers beyond 64 bits, broken text, endless nesting.

    Text and nesting of a plain row are known to be fine.
    """
    for key, value in row.items():
        if isinstance(value, int) and not -_LIMIT <= value < _LIMIT:
            raise EvidenceError(f"{where}: '{key}' is {short(value)}: give a number of 64 bits")
        if is_plain or value is None or isinstance(value, int | float) or _is_plain(value):
            continue
        if key in ("messages", "extra") or isinstance(value, str):
            try:
                depth = _checked_depth(value)
            except UnicodeEncodeError:
                raise EvidenceError(f"{where}: the row holds half of a surrogate pair in '{key}'") from None
            if depth > MAX_DEPTH:
                raise EvidenceError(f"{where}: '{key}' is nested too deeply: at most {MAX_DEPTH} levels")
    if not is_plain:
        _refuse_other_kinds(row["extra"], where)


def _refuse_other_kinds(extra: dict[str, Any], where: str) -> None:
    """Raise EvidenceError for bytes, times and the like, which Parquet has and JSON lacks; nesting is known to end."""
    for key, value in extra.items():
        if other := _other_kind(value):
            what = f"'{short(key)}' holds {other}, which JSON lacks"
            raise EvidenceError(f"{where}: {what}: leave the column out, or write it as text")


def _other_kind(value: Any) -> str:
    """Return the name of the first kind in a value that JSON lacks; empty for none."""
    if isinstance(value, dict | list | tuple):
        inner = [*value, *value.values()] if isinstance(value, dict) else value
        return next(filter(None, map(_other_kind, inner)), "")
    return "" if type(value) is str or type(value) in _PLAIN else type(value).__name__


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
    while level and depth <= MAX_DEPTH:
        inner: list[Any] = []
        for one in level:
            if isinstance(one, str):
                if not one.isascii():
                    one.encode()
            elif isinstance(one, dict):
                inner.extend(one)
                inner.extend(one.values())
            elif isinstance(one, list | tuple):
                inner.extend(one)
        level, depth = inner, depth + 1
    return depth


def _fill(row: dict[str, Any], where: str, attempts: Counter[tuple[Any, Any, Any]]) -> None:
    """Add what a row leaves out, in place; null counts as missing, without a note."""
    missing = {*_FIELDS.difference(row), *[key for key, value in row.items() if value is None]}
    for key in missing:
        if key not in _NULLABLE:
            row.pop(key, None)
        if key in _DEFAULTS:
            row[key] = _DEFAULTS[key]
    if "group_id" in missing:
        row["group_id"] = f"{row['version']}/{row['step']}/{row['problem_id']}"
        if "attempt" in row:
            met = (row["version"], row["step"], f"{row['group_id']}/{row['attempt']}")
            row["group_id"] += f"#{attempts[met] + 1}" if attempts[met] else ""  # the problem was drawn again
            attempts[met] += 1
    group = (row["version"], row["step"], row["group_id"])
    row.setdefault("attempt", attempts[group])
    attempts[group] += 1
    if "trajectory_id" in missing:
        row["trajectory_id"] = where.rsplit("/", 1)[-1]
    if "num_turns" in missing or "num_tokens" in missing:
        said = [message for message in row["messages"] if message.get("role") == "assistant"]
        row.setdefault("num_turns", len(said))
        sampled = [message.get("num_tokens") for message in said]
        row.setdefault("num_tokens", sum(number for number in sampled if isinstance(number, int | float)))
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
    if not isinstance(extra, dict):
        raise EvidenceError(f"{where}: 'extra' is a JSON {type(extra).__name__}, not an object")
    if values.keys() <= _FIELDS:
        return {**extra}
    unknown = {key: value for key, value in values.items() if key not in _FIELDS and value is not None}
    notes.update(f"'{key}' is no column of the schema and is kept in extra" for key in unknown)
    return {**unknown, **extra}


def _parsed(text: str, what: str) -> dict[str, Any]:
    try:
        parsed = json.loads(text)
    except RecursionError:
        raise EvidenceError(f"{what} is nested too deeply: at most {MAX_DEPTH} levels") from None
    except ValueError as error:
        raise EvidenceError(f"{what} is not JSON ({error})") from None
    if not isinstance(parsed, dict):
        raise EvidenceError(f"{what} is a JSON {type(parsed).__name__}, not an object")
    return parsed
