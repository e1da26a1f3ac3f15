"""Rollouts of verifiers, and of prime-rl, which writes the same rows.

verifiers: verifiers/utils/save_utils.py, `state_to_output` (results.jsonl of `vf-eval`): example_id, prompt,
completion, answer, info, reward, error, timing, is_completed, is_truncated, stop_condition, metrics, tool_defs,
token_usage; metrics stand at the top level too. prime-rl: src/prime_rl/orchestrator/utils.py, `save_rollouts`, with the
environment's name and the advantage beside.

Verifiers 0.4.0, and newer prime-rl with it, write traces instead (traces.py). They are read; rows are written in the
older form.
"""

import math
import sys
from collections.abc import Collection
from typing import Any

from evotrainer.evidence.formats.base import (
    RolloutFormat,
    Values,
    correctness,
    is_number,
    messages_of,
    numbers,
    openai_messages,
    own_columns,
    split_turns,
)
from evotrainer.evidence.formats.shapes import Shape, Text
from evotrainer.evidence.formats.traces import is_of_training, is_trace, read_trace
from evotrainer.records import Trajectory

_KEYS = (
    *("example_id", "prompt", "completion", "reward", "error", "timing", "is_completed", "is_truncated"),
    *("stop_condition", "metrics", "error_chain", "long_error_chain", "answer"),
)
_ENVIRONMENT = ("env_name", "env_id", "task")
_PRIME = frozenset({"env_name", "env_id", "advantage"})


class _Row(Shape):
    prompt: Text = None
    completion: Text = None
    metrics: dict[str, Any] | None = None


def _is_verifiers(values: Values) -> bool:
    return {"example_id", "completion"} <= values.keys() or is_trace(values)


def _is_prime_rl(values: Values) -> bool:
    return is_of_training(values) if is_trace(values) else _is_verifiers(values) and not _PRIME.isdisjoint(values)


def _read(values: Values, graded: Collection[str]) -> Values:
    if is_trace(values):
        return read_trace(values, graded)
    _Row.model_validate(values)
    metrics = values.get("metrics") or {}
    rest = {key: value for key, value in values.items() if key not in _KEYS and key not in metrics}
    error, sampled = values.get("error"), _num_tokens(values.get("token_usage"))
    return {
        "problem_id": _problem_id(values),
        "messages": messages_of(values.get("prompt"), values.get("completion")),
        "reward": None if error else values.get("reward"),
        "error": _error(error),
        "correct": None if error else correctness(metrics, graded),
        "reward_terms": numbers(metrics),
        "is_truncated": bool(values.get("is_truncated")),
        "stop_reason": values.get("stop_condition") or "unknown",
        "duration_seconds": _seconds(values.get("timing")),
        **({} if sampled is None else {"num_tokens": sampled}),
        **({} if values.get("answer") is None else {"ground_truth": values["answer"]}),
        **{key: value for key, value in rest.items() if value is not None},
    }


def _problem_id(values: Values) -> str:
    name = next((values[key] for key in _ENVIRONMENT if values.get(key)), None)
    return f"{name}/{values['example_id']}" if name else str(values["example_id"])


def _error(error: Any) -> str | None:
    return str(error.get("error", "error")) if isinstance(error, dict) else str(error)[:80] if error else None


def _num_tokens(usage: Any) -> int | None:
    """Return how many tokens were sampled over all turns, which verifiers writes as a decimal number."""
    sampled = usage.get("output_tokens") if isinstance(usage, dict) else None
    return int(sampled) if is_number(sampled) and math.isfinite(sampled) else None


def _seconds(timing: Any) -> float | None:
    if not isinstance(timing, dict):
        return None
    milliseconds = timing.get("total_ms")
    if isinstance(milliseconds, int | float):  # what no float can hold is refused with the row
        return milliseconds / 1000 if abs(milliseconds) <= sys.float_info.max else milliseconds
    return timing.get("total") if isinstance(timing.get("total"), int | float) else None


def _write(row: Trajectory) -> Values:
    asked, said = split_turns(row)
    correct = {} if row.correct is None else {"correct": row.correct}
    error = {"error": row.error, "error_chain_repr": row.error, "error_chain_str": row.error} if row.error else None
    seconds = row.duration_seconds
    return {
        "example_id": row.problem_id,
        "prompt": openai_messages(asked),
        "completion": openai_messages(said),
        "reward": row.reward,
        "error": error,
        "timing": {} if seconds is None else {"total_ms": seconds * 1000},
        "is_completed": row.error is None,
        "is_truncated": row.is_truncated,
        "stop_condition": row.stop_reason,
        "metrics": {**row.reward_terms, **correct},
        "step": row.step,
        **own_columns(row),
    }


def _write_prime_rl(row: Trajectory) -> Values:
    return {**_write(row), "env_name": row.domain, "advantage": row.advantage}


VERIFIERS = RolloutFormat("example_id, completion; or nodes, rewards", _is_verifiers, _read, _write)
PRIME_RL = RolloutFormat(
    "example_id, completion, env_name or advantage; or nodes, run", _is_prime_rl, _read, _write_prime_rl
)
