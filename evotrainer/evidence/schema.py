"""The columns of stored evidence, and how records become Arrow rows and back.

Four tables: trajectories (one row an attempt), tokens (one row an assistant turn, as sampled), features (what is
derived from a trajectory once, when it is written) and signals (one row an optimiser step). All but the features have
the fields of their records: a change of one is a new `SCHEMA_VERSION`. Tool arguments and `extra` differ from domain to
domain and are stored as JSON text, so that one schema holds for all. Each file carries the schema's version in its
metadata. The columns are described for readers in docs/evidence.md.
"""

import json
from collections.abc import Mapping, Sequence
from types import NoneType
from typing import Any, Literal, get_args, get_origin

import pyarrow as pa

from evotrainer.errors import EvidenceError
from evotrainer.evidence.digests import TABLES
from evotrainer.records import SCHEMA_VERSION, Message, Record, Signals, TokenTurn, ToolCall, Trajectory

TERM_PREFIX = "term_"
"""Columns of reward terms, where each has one of its own."""
CHECK_PREFIX = "check_"
"""Columns of what a grader measured beside the grade."""
_CANONICAL = json.JSONEncoder(sort_keys=True, ensure_ascii=False, allow_nan=False)
_VERSION_KEY = b"evotrainer.schema_version"

_METADATA = {_VERSION_KEY: str(SCHEMA_VERSION).encode()}
_KINDS: dict[Any, pa.DataType] = {
    str: pa.string(),
    int: pa.int64(),
    float: pa.float64(),
    bool: pa.bool_(),
    dict[str, float]: pa.map_(pa.string(), pa.float64()),
    dict[str, Any]: pa.string(),
}
"""How values of a field are stored; an object of any content as JSON text."""


def _schema(record: type[Record]) -> pa.Schema:
    """Return the columns of a table of records: a field each."""
    fields = [(name, _kind(field.annotation)) for name, field in record.model_fields.items()]
    return pa.schema(fields, metadata=_METADATA)


def _kind(annotation: Any) -> pa.DataType:
    if isinstance(annotation, type) and issubclass(annotation, Record):
        return pa.struct(list(_schema(annotation)))
    inner = [one for one in get_args(annotation) if one is not NoneType]
    if get_origin(annotation) is Literal:
        return pa.string()
    if get_origin(annotation) is list:
        return pa.list_(pa.int32() if inner[0] is int else _kind(inner[0]))  # token ids
    return _KINDS[annotation] if annotation in _KINDS else _kind(inner[0])


TRAJECTORIES, TOKENS, SIGNALS = map(_schema, (Trajectory, TokenTurn, Signals))
FEATURES = pa.schema(
    [
        ("trajectory_id", pa.string()),
        ("family", pa.string()),
        ("decoding", pa.string()),
        ("answer", pa.string()),
        ("lenient_correct", pa.float64()),
        ("num_chars", pa.int64()),
        ("response_hash", pa.string()),
        ("mean_logprob", pa.float64()),
        ("num_tool_calls", pa.int64()),
        ("num_failed_tool_calls", pa.int64()),
        ("tool_counts", pa.map_(pa.string(), pa.int64())),
        ("num_tool_bigrams", pa.int64()),
        ("num_unique_tool_bigrams", pa.int64()),
        ("longest_tool_run", pa.int64()),
        ("tool_entropy", pa.float64()),
        ("num_repeated_calls", pa.int64()),
        ("action_sequence", pa.string()),
        ("num_search_turns", pa.int64()),
        ("num_edit_turns", pa.int64()),
        ("num_test_turns", pa.int64()),
        ("num_other_turns", pa.int64()),
        ("num_idle_turns", pa.int64()),
        ("first_edit_turn", pa.int64()),
        ("is_search_before_edit", pa.bool_()),
        ("is_test_after_last_edit", pa.bool_()),
        ("edited_files", pa.list_(pa.string())),
        ("num_edited_files", pa.int64()),
        ("num_failed_edits", pa.int64()),
        ("num_test_file_writes", pa.int64()),
        ("num_git_calls", pa.int64()),
        ("num_history_reads", pa.int64()),
        ("num_history_restores", pa.int64()),
        ("is_submitted", pa.bool_()),
        ("logprob_change", pa.float64()),
        ("reasoning_sketch", pa.string()),
        ("checks", pa.map_(pa.string(), pa.float64())),
    ],
    metadata=_METADATA,
)

SCHEMAS: dict[str, pa.Schema] = dict(zip(TABLES, (TRAJECTORIES, TOKENS, FEATURES, SIGNALS), strict=True))


def canonical_json(value: Any, where: str) -> str:
    """Return `value` as JSON with sorted keys; raises EvidenceError, naming `where`, for what JSON cannot hold."""
    try:
        return _CANONICAL.encode(value)
    except (TypeError, ValueError) as error:
        raise EvidenceError(f"{where} cannot be stored as JSON ({error}): use finite numbers and text") from None


def trajectory_values(row: Trajectory) -> dict[str, Any]:
    """Return the Arrow values of one trajectory."""
    values = row.model_dump()
    values["reward_terms"] = sorted(row.reward_terms.items())
    values["extra"] = canonical_json(row.extra, f"extra of {row.trajectory_id}")
    for message in values["messages"]:
        for call in message["tool_calls"]:
            call["arguments"] = canonical_json(call["arguments"], f"tool arguments of {row.trajectory_id}")
    return values


def signals_values(signals: Signals) -> dict[str, Any]:
    """Return the Arrow values of one row of signals."""
    return {**signals.model_dump(), "extra": sorted(signals.extra.items())}


def trajectory_from_values(values: Mapping[str, Any]) -> Trajectory:
    """Return the record of one stored row, as pyarrow's to_pylist gives it."""
    messages = [_message_from_values(message) for message in values["messages"]]
    fixed = {"messages": messages, "reward_terms": dict(values["reward_terms"]), "extra": json.loads(values["extra"])}
    return Trajectory(**{**values, **fixed})


def _message_from_values(values: Mapping[str, Any]) -> Message:
    calls = [ToolCall(name=call["name"], arguments=json.loads(call["arguments"])) for call in values["tool_calls"]]
    return Message(**{**values, "tool_calls": calls})


def signals_from_values(values: Mapping[str, Any]) -> Signals:
    """Return the record of one stored row of signals."""
    return Signals(**{**values, "extra": dict(values["extra"])})


def to_table(name: str, rows: Sequence[Mapping[str, Any]]) -> pa.Table:
    """Return the rows as an Arrow table under the schema of that name."""
    return pa.Table.from_pylist(list(rows), schema=SCHEMAS[name])


def features_table(columns: Mapping[str, Sequence[Any]]) -> pa.Table:
    """Return the columns of features as an Arrow table."""
    return pa.Table.from_pydict(dict(columns), schema=FEATURES)


def check_schema(name: str, found: pa.Schema, where: str) -> None:
    """Raise EvidenceError unless `found` is the schema that this program reads for that table."""
    version = (found.metadata or {}).get(_VERSION_KEY, b"none").decode(errors="replace")
    if version != str(SCHEMA_VERSION):
        raise EvidenceError(
            f"{where} has evidence schema {version}, this program reads {SCHEMA_VERSION}: "
            "import it with `evotrainer diagnose --trajectories` instead"
        )
    if not found.equals(SCHEMAS[name]):
        raise EvidenceError(f"{where} does not have the columns of {name}: it was not written by this program")
