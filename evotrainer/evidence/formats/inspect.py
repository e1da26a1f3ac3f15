"""Samples of an inspect log: inspect_ai/log/_log.py, `EvalSample`.

id, epoch, input, target, messages, output (its stop_reason), scores {scorer: {value, answer, explanation}}, metadata,
error {message}, limit {type}, total_time. A value is C, P, I or N (1, 0.5, 0, 0) or a number; the first scorer's is the
score; of a scorer with several values each stands for itself. A sample without scores was not judged: an error.
Calls in messages name their function as text, and what a tool that failed said stands in its error. A log is one .json
file, or a .eval file, which is a zip with one file a sample.
"""

from collections.abc import Collection, Iterator
from typing import Any

from evotrainer.evidence.formats.base import RolloutFormat, Values, is_number, named_by, text_of
from evotrainer.evidence.formats.shapes import Shape, Text
from evotrainer.records import Message, Trajectory

_VALUES = {"C": 1.0, "P": 0.5, "I": 0.0, "N": 0.0}
_KEYS = (
    *("id", "epoch", "input", "target", "messages", "output", "scores", "error", "limit", "total_time"),
    *("choices", "events", "events_data", "attachments", "store", "model_usage", "role_usage", "uuid", "working_time"),
    *("completed_at", "error_retries", "turn_count"),
)


class _Message(Shape):
    tool_calls: list[dict[str, Any]] | None = None


class _Output(Shape):
    choices: list[dict[str, Any]] | None = None


class _Usage(Shape):
    output_tokens: int | None = None


class _Sample(Shape):
    epoch: int | None = None
    input: Text = None
    messages: list[_Message] | None = None
    output: _Output | None = None
    scores: dict[str, Any] | None = None
    model_usage: dict[str, _Usage] | None = None
    extra: dict[str, Any] | None = None


def _is_inspect(values: Values) -> bool:
    return {"id", "epoch", "scores"} <= values.keys()


def _read(values: Values, _graded: Collection[str]) -> Values:
    _Sample.model_validate(values)
    scores = values.get("scores") or {}
    named = {name: value for scorer, score in scores.items() for name, value in _values(scorer, score)}
    first = next(iter(named.values()), None)
    answer = next((score.get("answer") for score in scores.values() if isinstance(score, dict)), None)
    has_error, name = bool(values.get("error")), values.get("id")
    rest = {key: value for key, value in values.items() if key not in _KEYS and value is not None}
    extra = {"ground_truth": values.get("target"), "answer": answer, "explanation": _explanation(values, scores)}
    extra |= rest.pop("extra", None) or {}
    return {
        "problem_id": named_by(text_of(values.get("input"))) if name in (None, "") else str(name),
        "attempt": max(int(values.get("epoch") or 1) - 1, 0),
        "messages": [_message(message) for message in values.get("messages") or []],
        "reward": None if has_error else first,
        "correct": None if has_error or first is None or not 0 <= first <= 1 else first,
        "reward_terms": named,
        "error": _error(values),
        "stop_reason": _stop_reason(values),
        "duration_seconds": values.get("total_time"),
        "num_tokens": _num_tokens(values),
        "split": "validation",
        "extra": {name: value for name, value in extra.items() if value is not None},
        **rest,
    }


def _values(scorer: str, score: Any) -> Iterator[tuple[str, float]]:
    """Yield what a scorer said by name: one value, or one for each entry of an object."""
    said = score.get("value") if isinstance(score, dict) else score
    parts = {f"{scorer}/{name}": part for name, part in said.items()} if isinstance(said, dict) else {scorer: said}
    for name, value in parts.items():
        found = _VALUES.get(value) if isinstance(value, str) else value
        if is_number(found):
            yield name, float(found)


def _explanation(values: Values, scores: Values) -> Any:
    """Return what scorers said beside their values, by scorer where several did; None for what the policy wrote."""
    completion = _completion(values.get("output") or {})
    said = {name: score.get("explanation") for name, score in scores.items() if isinstance(score, dict)}
    told = {name: text for name, text in said.items() if isinstance(text, str) and text and text not in completion}
    return (told if len(told) > 1 else next(iter(told.values()))) if told else None


def _completion(output: Values) -> str:
    """Return the last text of the policy; empty where it is none."""
    message = (output.get("choices") or [{}])[0].get("message")
    content = message.get("content") if isinstance(message, dict) else None
    found = output.get("completion") or content
    return text_of(found) if isinstance(found, str | list) else ""


def _error(values: Values) -> Any:
    """Return why a sample has no score: its error, or that no scorer saw it; None where it has one."""
    error = values.get("error")
    if isinstance(error, dict):
        return str(error.get("message", "error"))[:80]
    is_judged = any(values.get(name) is not None for name in ("reward", "correct")) or values.get("scores")
    return error if error or is_judged else "not scored"


def _num_tokens(values: Values) -> int | None:
    """Return the output tokens of all models that a sample called."""
    usage = [used.get("output_tokens") or 0 for used in (values.get("model_usage") or {}).values()]
    return sum(usage) if usage else None


def _stop_reason(values: Values) -> str:
    limit = values.get("limit")
    if isinstance(limit, dict) and limit.get("type"):
        return (
            "max_turns" if limit["type"] == "message" else "max_tokens" if limit["type"] == "token" else limit["type"]
        )
    choices = (values.get("output") or {}).get("choices") or [{}]
    reason = choices[0].get("stop_reason") or "unknown"
    return "max_tokens" if reason == "model_length" else reason


def _message(message: Values) -> Values:
    """Return a message whose calls are as OpenAI has them, and whose `ok` is that of the tool's answer."""
    calls = [
        {"id": call.get("id"), "name": call.get("function"), "arguments": call.get("arguments")}
        if isinstance(call.get("function"), str)
        else call
        for call in message.get("tool_calls") or []
    ]
    made = {**message, "tool_calls": calls}
    if message.get("role") == "tool":
        failed = message.get("error")
        if isinstance(failed, dict) and not message.get("content"):
            made["content"] = str(failed.get("message") or "")
        made |= {"tool_name": message.get("function"), "ok": message.get("ok", message.get("error") is None)}
    return made


def _write(row: Trajectory) -> Values:
    score = {"value": row.correct if row.correct is not None else row.reward, "answer": row.extra.get("answer")}
    return {
        "id": row.problem_id,
        "epoch": row.attempt + 1,
        "input": next((message.content for message in row.messages if message.role == "user"), ""),
        "target": row.extra.get("ground_truth") or "",
        "messages": _written(row.messages),
        "output": {"choices": [{"stop_reason": row.stop_reason}]},
        "scores": {} if row.error else {"evotrainer": score},
        "error": {"message": row.error} if row.error else None,
        "total_time": row.duration_seconds,
        "reward": row.reward,
        "step": row.step,
        "trajectory_id": row.trajectory_id,
        "group_id": row.group_id,
        "split": row.split,
    }


def _written(messages: list[Message]) -> list[Values]:
    found: list[Values] = []
    for message in messages:
        values: Values = {"role": message.role, "content": message.content}
        if message.tool_calls:
            values["tool_calls"] = [
                {"id": f"call_{place}", "function": call.name, "arguments": call.arguments, "type": "function"}
                for place, call in enumerate(message.tool_calls)
            ]
        if message.role == "tool":
            values |= {"function": message.tool_name, "error": None if message.ok is not False else {"type": "unknown"}}
        found.append(values)
    return found


INSPECT = RolloutFormat("id, epoch, scores", _is_inspect, _read, _write)
