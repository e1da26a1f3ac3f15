"""A simulated training run of the blind part: a policy that learns, sampled in groups, graded, given advantages."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from benchmarks.foreign.blind.answers import Problem
from benchmarks.foreign.case import Row
from benchmarks.foreign.estimators import Estimator, grpo

Alter = Callable[[np.random.Generator, Row, "Moment"], None]
"""Changes a row in place before its step's advantages are computed."""


@dataclass(frozen=True)
class Moment:
    """Where in the run a row stands."""

    problem: Problem
    progress: float
    """0 at the first step, 1 at the last."""
    step: int
    is_right: bool


@dataclass(frozen=True)
class Run:
    """A run's shape."""

    world: Any
    steps: int = 10
    problems: int = 6
    """A step."""
    group: int = 8
    skill: tuple[float, float] = (0.35, 0.6)
    """Mean chance to be right on the first and on the last step."""
    estimator: Estimator | None = grpo
    grade: Callable[[np.random.Generator, bool, Problem], float] = lambda rng, right, problem: float(right)
    alter: Alter = lambda rng, row, moment: None
    order: Callable[[np.random.Generator, int, int], list[int]] = lambda rng, step, n: list(
        range(step * n, step * n + n)
    )
    """Numbers of the problems of a step."""
    spread: float = 1.6
    """How far problems differ in difficulty, in logits."""
    has_correct: bool = True
    logprob: tuple[float, float] = (-0.75, -0.5)
    policy: Callable[[int], str] = lambda step: f"w{step:05d}"


def run(rng: np.random.Generator, shape: Run, split: str = "train") -> list[Row]:
    """All rows of the run, in order."""
    problems: dict[int, Problem] = {}
    rows: list[Row] = []
    for step in range(shape.steps):
        numbers = shape.order(rng, step, shape.problems)
        for number in numbers:
            problems.setdefault(number, shape.world.problem(rng, number))
        rows += _step(rng, shape, step, [problems[number] for number in numbers], split)
    return rows


def _step(rng: np.random.Generator, shape: Run, step: int, problems: list[Problem], split: str) -> list[Row]:
    progress = step / max(1, shape.steps - 1)
    rows, groups = [], []
    for place, problem in enumerate(problems):
        for attempt in range(shape.group):
            row = _attempt(rng, shape, problem, step, progress, split)
            row["trajectory_id"] = f"{split[:2]}-{step}-{place}-{attempt}-{rng.integers(1 << 30):x}"
            rows.append(row)
            groups.append(place)
    if shape.estimator is not None:
        rewards = np.array([np.nan if r["reward"] is None else r["reward"] for r in rows], float)
        known = ~np.isnan(rewards)
        lengths = np.array([r["num_tokens"] for r in rows], float)
        values = shape.estimator(rewards[known], np.array(groups)[known], lengths[known], rng)
        for i, value in zip(np.flatnonzero(known), values, strict=True):
            rows[i]["advantage"], rows[i]["in_loss"] = float(value), rows[i].get("in_loss", True)
    return rows


def _attempt(rng: np.random.Generator, shape: Run, problem: Problem, step: int, progress: float, split: str) -> Row:
    skill = shape.skill[0] + (shape.skill[1] - shape.skill[0]) * progress
    logit = np.log(skill / (1 - skill)) + shape.spread * (0.5 - problem.difficulty) * 2
    is_right = bool(rng.random() < 1 / (1 + np.exp(-logit)))
    said = shape.world.attempt(rng, problem, is_right)
    mean = shape.logprob[0] + (shape.logprob[1] - shape.logprob[0]) * progress
    for message in said:
        if message["role"] == "assistant":
            message["mean_logprob"] = float(min(-1e-3, rng.normal(mean, abs(mean) * 0.2)))
    row = {
        "split": split,
        "step": step,
        "problem_id": problem.key,
        "messages": [*shape.world.prompt(problem), *said],
        "reward": shape.grade(rng, is_right, problem),
        "stop_reason": "stop",
        "policy_id": shape.policy(step),
    }
    if shape.has_correct:
        row["correct"] = float(is_right)
    shape.alter(rng, row, Moment(problem, progress, step, is_right))
    row.setdefault(
        "num_tokens",
        sum(
            4 + len(str(m.get("content", ""))) // 4 + 12 * len(m.get("tool_calls") or [])
            for m in row["messages"]
            if m["role"] == "assistant"
        ),
    )
    return row
