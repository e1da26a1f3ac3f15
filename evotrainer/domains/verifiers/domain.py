"""A domain made of an environment object: its dataset, its answers, its rubric (docs/domains.md).

`correct` is the rubric's measure with the value 0 or 1 whose name says so, else whether the rubric pays its full 1. To
pay what the rubric pays: `reward.correct=0 reward.terms.rubric=1`. Grades rest on the messages alone: the episode is
played again in a fresh state. Environments that ask a model themselves are not supported.
"""

import json
from collections.abc import Callable, Mapping, Sequence
from functools import cache
from typing import Any

from evotrainer.config import DomainConfig
from evotrainer.domains.base import Domain, Grade
from evotrainer.domains.problem_sets.rows import Row, difficulty_of, id_of, unknown_columns
from evotrainer.domains.verifiers.episode import State, WrappedEnvironment, ask, dataset_rows, replayed, tool_schemas
from evotrainer.errors import DataError, GraderError, InfrastructureError
from evotrainer.records import Message, Problem

_CORRECT_WORDS = frozenset({"correct", "accuracy", "acc", "solved", "passed", "pass", "resolved"})
"""Words of names of metrics that say whether an attempt is right."""

RUBRIC = "rubric"
"""Term that holds what the rubric pays."""


def wrap(load: Callable[[], Any], name: str) -> Domain:
    """Return the domain of an environment; `load` makes it, once, when something is asked of it."""
    environment = cache(load)
    return Domain(
        name=name,
        environment=lambda config: WrappedEnvironment(environment(), config),
        grader=lambda config: WrappedGrader(environment(), config),
        parse_row=parse_row,
        problem_rows=lambda: (("", row) for row in dataset_rows(environment())),  # one file, split by a hash
        tools=lambda: tool_schemas(environment()),
        has_tools=False,
    )


class WrappedGrader:
    """Grades by the environment's rubric."""

    waits_for_sandbox = False

    def __init__(self, environment: Any, domain: DomainConfig) -> None:
        self._environment, self._domain = environment, domain

    def grade(self, problem: Problem, messages: Sequence[Message], stop_reason: str) -> Grade:
        """Return the grade; raises GraderError when the rubric failed."""
        try:
            episode = WrappedEnvironment(self._environment, self._domain)
            reward, metrics = self._scored(replayed(episode, problem, messages, is_cut=stop_reason == "max_tokens"))
        except InfrastructureError as error:
            raise GraderError(str(error)) from error
        found = _correctness(metrics)
        correct = float(reward >= 1.0) if found is None else found
        form = next((value for name, value in metrics.items() if "format" in name), 1.0)
        terms = {**metrics, RUBRIC: reward, "correct": correct, "format": form}
        return Grade(correct=correct, terms=terms, format_ok=form > 0, extra={"family": problem.family})

    def _scored(self, state: State) -> tuple[float, dict[str, float]]:
        rubric = getattr(self._environment, "rubric", None)
        score = getattr(rubric, "score_rollout", None)
        if score is None:
            raise GraderError("the environment's rubric has no score_rollout: rubrics of groups are not supported")
        ask("score_rollout", score, state)
        if not isinstance(state.get("reward"), int | float):
            raise GraderError("the environment's rubric gave no reward")
        return float(state["reward"]), _numbers(state.get("metrics") or {})


def _numbers(values: Mapping[str, Any]) -> dict[str, float]:
    """Return the values that are numbers; truth values among them."""
    return {name: float(value) for name, value in values.items() if isinstance(value, int | float)}


def _correctness(metrics: Mapping[str, float]) -> float | None:
    """Return the first metric of 0 or 1 whose name has a word of correctness; None for none."""
    for name, value in metrics.items():
        if value in (0, 1) and not _CORRECT_WORDS.isdisjoint(name.lower().replace("-", "_").split("_")):
            return value
    return None


_READ = ("prompt", "question", "answer", "id", "difficulty")


def parse_row(values: dict[str, Any], place: str) -> Row:
    """Return the row; raises DataError for a missing or mistyped prompt."""
    prompt = values.get("prompt", values.get("question"))
    if prompt is None:
        raise unknown_columns(values, "prompt or question, and answer", "prompt=KEY,answer=KEY", place)
    messages = [{"role": "user", "content": prompt}] if isinstance(prompt, str) else prompt
    if not (isinstance(messages, list) and messages and all(_is_message(message) for message in messages)):
        raise DataError(f"{place}: 'prompt' must be text or a list of messages with role and content")
    problem = "\n\n".join(message["content"] for message in messages if message["role"] == "user")
    answer = values.get("answer")
    text = answer if isinstance(answer, str) else "" if answer is None else json.dumps(answer)
    return Row(
        row_id=id_of(values, ("id",), json.dumps([messages, answer], sort_keys=True, default=str), place),
        problem=problem,
        answer=text,
        family=str(values.get("task") or "own"),
        difficulty=difficulty_of(values, place),
        data={"messages": messages, **{key: value for key, value in values.items() if key not in _READ}},
        identity=problem,
    )


def _is_message(message: Any) -> bool:
    return isinstance(message, dict) and isinstance(message.get("content"), str) and bool(message.get("role"))
