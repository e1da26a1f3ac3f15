"""Attempts in the names of other systems: verl, TRL and verifiers.

What they have no column for stands beside, under our name, so that reading the rows again gives the same attempts.
"""

import json
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

from evotrainer.errors import EvidenceError
from evotrainer.evidence.foreign.names import OWN
from evotrainer.evidence.schema import to_table, trajectory_values
from evotrainer.records import Message, Trajectory

Values = dict[str, Any]

_OURS = ("trajectory_id", "problem_id", "group_id", "attempt", "split", "domain", "policy_id", "num_tokens")
_FUNCTIONS = ("reward", "func", "fn")


def export_rows(rows: Sequence[Trajectory], path: Path, target: str = OWN) -> None:
    """Write trajectories in a format of WRITERS, as Parquet or JSONL by the file's ending.

    Raises:
        EvidenceError: there is no such format, or it has objects that are no columns of Parquet.

    """
    if target not in WRITERS:
        raise EvidenceError(f"rows are not written as '{target}': choose from {', '.join(WRITERS)}")
    if path.suffix == ".parquet" and target == "verifiers":
        raise EvidenceError(f"{path}: {target} writes JSON: name a file that ends in .jsonl")
    if path.suffix == ".parquet":
        pq.write_table(_table(rows, target), path)
        return
    with path.open("w", encoding="utf-8") as file:
        for row in rows:
            file.write(json.dumps(WRITERS[target](row), ensure_ascii=False) + "\n")


def _table(rows: Sequence[Trajectory], target: str) -> pa.Table:
    if target == OWN:
        return to_table("trajectories", [trajectory_values(row) for row in rows])
    values = [WRITERS[target](row) for row in rows]
    names = dict.fromkeys(name for row in values for name in row)
    return pa.Table.from_pylist([{name: row.get(name) for name in names} for row in values])


def _verl(row: Trajectory) -> Values:
    asked, said = ("\n".join(message.content for message in part) for part in _turns(row))
    values: Values = {"input": asked, "output": said, "gts": row.extra.get("ground_truth")}
    values |= {"score": row.reward, "step": row.step, "acc": row.correct, "pred": row.extra.get("answer")}
    return values | _known(row, _OURS) | _known(row, ("advantage", "stop_reason", "error"))


def _trl(row: Trajectory) -> Values:
    asked, said = _turns(row)
    terms = {name if name.endswith(_FUNCTIONS) else f"{name}_reward": value for name, value in row.reward_terms.items()}
    values: Values = {"step": row.step, "prompt": openai_messages(asked), "completion": openai_messages(said), **terms}
    values |= {"advantage": row.advantage, "reward": row.reward, "correct": row.correct}
    return values | _known(row, _OURS) | {"stop_reason": row.stop_reason, "error": row.error}


def _verifiers(row: Trajectory) -> Values:
    asked, said = _turns(row)
    correct = {} if row.correct is None else {"correct": row.correct}
    seconds = row.duration_seconds
    return {
        "example_id": row.problem_id,
        "prompt": openai_messages(asked),
        "completion": openai_messages(said),
        "task": row.domain,
        "answer": row.extra.get("ground_truth"),
        "reward": row.reward,
        "error": {"error": row.error} if row.error else None,
        "timing": {} if seconds is None else {"total_ms": seconds * 1000},
        "is_completed": row.error is None,
        "is_truncated": row.is_truncated,
        "stop_condition": row.stop_reason,
        "metrics": {**row.reward_terms, **correct},
        "advantage": row.advantage,
        "step": row.step,
        **_known(row, _OURS),
    }


def _known(row: Trajectory, names: Sequence[str]) -> Values:
    return {name: value for name in names if (value := getattr(row, name)) is not None}


def _turns(row: Trajectory) -> tuple[list[Message], list[Message]]:
    """Return the messages before the first of the assistant, and all others."""
    first = next((place for place, message in enumerate(row.messages) if message.role == "assistant"), None)
    return (row.messages, []) if first is None else (row.messages[:first], row.messages[first:])


def openai_messages(messages: Sequence[Message]) -> list[Values]:
    """Return messages in OpenAI's form; ids of calls are numbers in their order."""
    found: list[Values] = []
    num_calls = num_answers = 0
    for message in messages:
        values: Values = {"role": message.role, "content": message.content}
        if message.tool_calls:
            values["tool_calls"] = [
                {
                    "id": f"call_{place}",
                    "type": "function",
                    "function": {"name": call.name, "arguments": json.dumps(call.arguments)},
                }
                for place, call in enumerate(message.tool_calls, start=num_calls)
            ]
            num_calls += len(message.tool_calls)
        if message.role == "tool":
            values["tool_call_id"] = f"call_{num_answers}"
            num_answers += 1
            values |= {"name": message.tool_name} if message.tool_name else {}
        kept = {"ok": message.ok, "num_tokens": message.num_tokens, "mean_logprob": message.mean_logprob}
        found.append(values | {name: value for name, value in kept.items() if value is not None})
    return found


WRITERS: Mapping[str, Callable[[Trajectory], Values]] = {
    OWN: Trajectory.model_dump,
    "verl": _verl,
    "trl": _trl,
    "verifiers": _verifiers,
}
