"""Traces of verifiers 0.4.0, and of prime-rl, which writes the same: verifiers/v1/trace.py, `Trace.to_record`.

traces.jsonl holds an episode a line (verifiers/v1/utils/trace_store.py, `write_episode`), with a trace for each agent;
the files are unfolded to one row a trace (foreign_files.py), beside what the episode says: env, group, run. A trace is
a graph of messages, of which the last path is taken, as `Trace.messages` does. Rewards have scores and weights; per
token logprobs and advantages stand at the messages that were sampled.
"""

from collections.abc import Collection
from datetime import UTC, datetime
from statistics import fmean
from typing import Annotated, Any

from pydantic import AfterValidator, Field

from evotrainer.evidence.formats.base import Values, correctness, numbers
from evotrainer.evidence.formats.shapes import Number, Shape

_CUT = ("max_turns", "max_input_tokens", "max_output_tokens", "max_total_tokens", "compaction_failed")
_LAST_SECOND = datetime(9999, 12, 31, tzinfo=UTC).timestamp()
_KEYS = (
    *("id", "version", "verifiers", "task", "agent", "tools", "nodes", "calls", "rewards", "metrics", "env", "group"),
    *("run", "is_completed", "ok", "stop_condition", "errors", "timing", "mm_token_type_id_map", "extra_usage"),
    *("request_rewrites", "response_rewrites", "num_input_tokens", "num_output_tokens", "num_total_tokens"),
)


class _Node(Shape):
    message: dict[str, Any]
    parent: int | None = None
    logprobs: list[Number] | None = None
    advantages: list[Number] | None = None


class _Reward(Shape):
    score: Number
    weight: Number | None = None


class _Task(Shape):
    data: dict[str, Any] | None = None


class _Work(Shape):
    policy: dict[str, Any] | None = None


class _Run(Shape):
    work: _Work | None = None


class _Agent(Shape):
    config: dict[str, Any] | None = None


class _Span(Shape):
    start: Number | None = None
    end: Number | None = None


class _Timing(Shape):
    start: Annotated[float, Field(ge=0, le=_LAST_SECOND)] | None = None
    agent: _Span | None = None


def _from_the_root(nodes: list[_Node]) -> list[_Node]:
    """Refuse nodes whose way to the root does not end."""
    for number, node in enumerate(nodes):
        if node.parent is not None and not 0 <= node.parent < number:
            raise ValueError(f"the parent of node {number} is {node.parent}, which does not stand before it")
    return nodes


class _Trace(Shape):
    task: _Task | None = None
    env: dict[str, Any] | None = None
    group: dict[str, Any] | None = None
    run: _Run | None = None
    agent: _Agent | None = None
    nodes: Annotated[list[_Node], AfterValidator(_from_the_root)] | None = None
    rewards: dict[str, _Reward | None] | None = None
    metrics: dict[str, Any] | None = None
    errors: list[dict[str, Any]] | None = None
    calls: list[dict[str, Any]] | None = None
    timing: _Timing | None = None


def is_trace(values: Values) -> bool:
    """Tell whether a row is a trace."""
    return {"nodes", "rewards", "task"} <= values.keys()


def is_of_training(values: Values) -> bool:
    """Tell whether a trace is of a training run, which prime-rl dispatched."""
    run = values.get("run")
    return isinstance(run, dict) and run.get("type") == "train"


def read_trace(values: Values, graded: Collection[str]) -> Values:
    """Return the columns of a trace; ValidationError: it has another shape."""
    _Trace.model_validate(values)
    path, task, run = _last_path(values.get("nodes") or []), values.get("task") or {}, values.get("run") or {}
    terms = {name: one["score"] for name, one in (values.get("rewards") or {}).items() if one}
    metrics = numbers({name: value for name, value in (values.get("metrics") or {}).items() if value is not None})
    error, reason = _error(values), values.get("stop_condition") or "unknown"
    rest = {key: value for key, value in values.items() if key not in _KEYS and value not in (None, [], {})}
    made = {
        "trajectory_id": values.get("id"),
        "problem_id": _problem_id(values),
        "group_id": (values.get("group") or {}).get("id"),
        "messages": [_message(node) for node in path] or [{"role": "user", "content": _asked(task)}],
        "reward": None if error else _reward(values.get("rewards") or {}),
        "reward_terms": terms,
        "correct": None if error else correctness({**terms, **metrics}, graded),
        "advantage": _mean_of(path, "advantages"),
        "error": error,
        "stop_reason": reason,
        "is_truncated": reason in _CUT or _is_cut(values.get("calls") or []),
        "num_tokens": values.get("num_output_tokens"),
        "extra": {**_told(values, task), **metrics, **rest},
        **_moment(values.get("timing") or {}),
        **_place(run),
    }
    return {name: value for name, value in made.items() if value is not None}


def _last_path(nodes: list[Values]) -> list[Values]:
    """Return the messages from the root to the last leaf."""
    path, number = [], len(nodes) - 1 if nodes else None
    while number is not None:
        path.append(nodes[number])
        number = nodes[number].get("parent")
    return path[::-1]


def _message(node: Values) -> Values:
    message, logprobs = dict(node["message"]), node.get("logprobs")
    if node.get("sampled") and logprobs:
        message |= {"num_tokens": len(logprobs), "mean_logprob": fmean(logprobs)}
    return message


def _reward(rewards: dict[str, Any]) -> float | None:
    """Return the weighted sum; None where nothing was scored."""
    values = [one["score"] * (1.0 if one.get("weight") is None else one["weight"]) for one in rewards.values() if one]
    return sum(values) if values else None


def _mean_of(path: list[Values], key: str) -> float | None:
    found = [value for node in path for value in node.get(key) or []]
    return fmean(found) if found else None


def _problem_id(values: Values) -> str:
    """Return the environment and the row's number or key in it."""
    task, env = values.get("task") or {}, (values.get("env") or {}).get("id")
    number = (task.get("data") or {}).get("idx")
    name = str(task.get("key") or "")[:16] if number is None else str(number)
    return f"{env}/{name}" if env else name


def _asked(task: Values) -> str:
    """Return what was asked where no message was exchanged."""
    asked = (task.get("data") or {}).get("prompt")
    return asked if isinstance(asked, str) else ""


def _error(values: Values) -> str | None:
    """Return the type of the last error of a trace that did not complete."""
    errors = values.get("errors") or []
    return errors[-1].get("type", "error") if errors and not values.get("ok") else None


def _is_cut(calls: list[Values]) -> bool:
    reasons = [call.get("finish_reason") for call in calls if not call.get("error")]
    return bool(reasons) and reasons[-1] == "length"


def _told(values: Values, task: Values) -> Values:
    """Return what else identifies an attempt, for `extra`."""
    agent, data = values.get("agent") or {}, task.get("data") or {}
    told = {"agent": agent.get("name"), "model": (agent.get("config") or {}).get("model")}
    told |= {"env_name": (values.get("env") or {}).get("id"), "ground_truth": data.get("answer")}
    return {name: value for name, value in told.items() if value is not None}


def _moment(timing: Values) -> Values:
    """Return when an attempt began, and how long its agent took in seconds."""
    start, agent = timing.get("start"), timing.get("agent") or {}
    seconds = agent["end"] - (agent.get("start") or 0.0) if agent.get("end") else None
    return {
        "started_at": datetime.fromtimestamp(start, UTC).isoformat() if start else None,
        "duration_seconds": seconds,
    }


def _place(run: Values) -> Values:
    """Return split, step and policy of what a training run or an evaluation dispatched."""
    work = run.get("work") or {}
    policy = work.get("policy") or {}
    is_evaluation = "eval" in (run.get("type"), work.get("type"))
    return {
        "split": "validation" if is_evaluation else "train",
        "step": run.get("step") if work.get("step") is None else work["step"],
        "policy_id": f"version {policy['start']}" if "start" in policy else None,
    }
