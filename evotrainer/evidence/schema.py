"""The columns of stored evidence, and how records become Arrow rows and back.

Four tables: trajectories (one row an attempt), tokens (one row an assistant turn, as sampled), features (what is
derived from a trajectory once, when it is written) and signals (one row an optimiser step). Tool arguments and `extra`
differ from domain to domain and are stored as JSON text, so that one schema holds for all. Each file carries the
schema's version in its metadata. The columns are described for readers in docs/evidence.md.
"""

import json
from collections.abc import Mapping, Sequence
from typing import Any

import pyarrow as pa

from evotrainer.errors import EvidenceError
from evotrainer.evidence.digests import TABLES
from evotrainer.records import SCHEMA_VERSION, Message, Signals, ToolCall, Trajectory

TERM_PREFIX = "term_"
"""Columns of reward terms, where each has one of its own."""
CHECK_PREFIX = "check_"
"""Columns of what a grader measured beside the grade."""
_CANONICAL = json.JSONEncoder(sort_keys=True, ensure_ascii=False, allow_nan=False)
_VERSION_KEY = b"evotrainer.schema_version"

_TOOL_CALL = pa.struct([("name", pa.string()), ("arguments", pa.string())])
_MESSAGE = pa.struct(
    [
        ("role", pa.string()),
        ("content", pa.string()),
        ("tool_calls", pa.list_(_TOOL_CALL)),
        ("tool_name", pa.string()),
        ("ok", pa.bool_()),
        ("num_tokens", pa.int64()),
        ("mean_logprob", pa.float64()),
    ]
)
_METADATA = {_VERSION_KEY: str(SCHEMA_VERSION).encode()}

TRAJECTORIES = pa.schema(
    [
        ("trajectory_id", pa.string()),
        ("campaign", pa.string()),
        ("version", pa.string()),
        ("split", pa.string()),
        ("step", pa.int64()),
        ("domain", pa.string()),
        ("problem_id", pa.string()),
        ("group_id", pa.string()),
        ("attempt", pa.int64()),
        ("seed", pa.int64()),
        ("policy_id", pa.string()),
        ("messages", pa.list_(_MESSAGE)),
        ("reward", pa.float64()),
        ("reward_terms", pa.map_(pa.string(), pa.float64())),
        ("correct", pa.float64()),
        ("advantage", pa.float64()),
        ("in_loss", pa.bool_()),
        ("stop_reason", pa.string()),
        ("error", pa.string()),
        ("num_turns", pa.int64()),
        ("num_tokens", pa.int64()),
        ("is_truncated", pa.bool_()),
        ("format_ok", pa.bool_()),
        ("duration_seconds", pa.float64()),
        ("started_at", pa.string()),
        ("extra", pa.string()),
    ],
    metadata=_METADATA,
)

TOKENS = pa.schema(
    [
        ("trajectory_id", pa.string()),
        ("turn", pa.int64()),
        ("prompt_ids", pa.list_(pa.int32())),
        ("token_ids", pa.list_(pa.int32())),
        ("logprobs", pa.list_(pa.float64())),
        ("in_loss", pa.bool_()),
    ],
    metadata=_METADATA,
)

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

SIGNALS = pa.schema(
    [
        ("campaign", pa.string()),
        ("version", pa.string()),
        ("step", pa.int64()),
        ("loss", pa.float64()),
        ("grad_norm", pa.float64()),
        ("kl", pa.float64()),
        ("entropy", pa.float64()),
        ("clip_fraction", pa.float64()),
        ("mean_ratio", pa.float64()),
        ("dead_group_ratio", pa.float64()),
        ("kept_groups", pa.float64()),
        ("num_tokens", pa.int64()),
        ("seconds", pa.float64()),
        ("extra", pa.map_(pa.string(), pa.float64())),
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


def attempts_table(rows: Sequence[Trajectory]) -> pa.Table:
    """Return the columns of trajectories but for the messages, which no metric over many rows reads."""
    columns = {name: [getattr(row, name) for row in rows] for name in TRAJECTORIES.names if name != "messages"}
    columns["reward_terms"] = [sorted(row.reward_terms.items()) for row in rows]
    columns["extra"] = [canonical_json(row.extra, f"extra of {row.trajectory_id}") for row in rows]
    return pa.Table.from_pydict(columns, schema=pa.schema([TRAJECTORIES.field(name) for name in columns]))


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
