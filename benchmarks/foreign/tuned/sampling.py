"""Rows of the tuned part: tasks drawn step by step, attempts graded, advantages as the trainer's own."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from benchmarks.foreign import estimators as by
from benchmarks.foreign.case import Kind, Row
from benchmarks.foreign.tuned import worlds as of

Change = Callable[[np.random.Generator, Row, of.Task, float, bool], None]
"""Changes a row in place; told its task, how far the run is, and whether the attempt was right."""
Pass = Callable[[np.random.Generator, list[Row]], list[Row]]


@dataclass(frozen=True)
class Plan:
    """One run."""

    task: Any = of.dosage
    answer: Any = of.dosage_answer
    steps: int = 9
    tasks: int = 7
    group: int = 6
    skill: tuple[float, float] = (-0.6, 0.2)
    """Logits on the first and the last step."""
    pay: Callable[[np.random.Generator, bool], float] = lambda rng, right: float(right)
    change: Change | None = None
    estimate: by.Estimator | None = by.grpo
    is_known: bool = True
    """Whether correctness is recorded."""
    split: str = "train"
    first: int = 0


def sample(rng: np.random.Generator, plan: Plan) -> list[Row]:
    """Return the rows of a run."""
    rows: list[Row] = []
    for step in range(plan.steps):
        part: list[Row] = []
        tasks = [plan.task(rng, plan.first + step * plan.tasks + i) for i in range(plan.tasks)]
        for task in tasks:
            part += [_row(rng, plan, task, step) for _ in range(plan.group)]
        rows += _advantaged(rng, plan, part)
    return rows


def _row(rng: np.random.Generator, plan: Plan, task: of.Task, step: int) -> Row:
    far = step / max(plan.steps - 1, 1)
    logit = plan.skill[0] + (plan.skill[1] - plan.skill[0]) * far + task.ease
    right = bool(rng.random() < 1 / (1 + np.exp(-logit)))
    messages = [{"role": "user", "content": task.prompt}, *plan.answer(rng, task, right)]
    for message in messages:
        if message["role"] == "assistant":
            message["mean_logprob"] = float(-abs(rng.normal(0.8 - 0.2 * far, 0.1)))
    row: Row = {"problem_id": task.key, "split": plan.split, "step": step, "messages": messages}
    row |= {"reward": plan.pay(rng, right), "num_tokens": int(rng.gamma(9, 14)), "stop_reason": "stop"}
    row |= {"correct": float(right)} if plan.is_known else {}
    if plan.change is not None:
        plan.change(rng, row, task, far, right)
    return row


def _advantaged(rng: np.random.Generator, plan: Plan, rows: list[Row]) -> list[Row]:
    if plan.estimate is None:
        return rows
    groups = np.repeat(np.arange(plan.tasks), plan.group)
    rewards = np.array([row["reward"] for row in rows], float)
    values = plan.estimate(rewards, groups, np.array([row["num_tokens"] for row in rows], float), rng)
    return [{**row, "advantage": float(value), "in_loss": True} for row, value in zip(rows, values, strict=True)]


def kind(name: str, plan: Plan, *modes: str, then: Pass | None = None, source: str = "") -> Kind:
    """Return a kind of one run, passed through `then`."""

    def build(rng: np.random.Generator) -> list[Row]:
        rows = sample(rng, plan)
        return then(rng, rows) if then else rows

    return Kind(name, build, modes, source)


def graded(rng: np.random.Generator, right: bool) -> float:
    """A number from 0 to 1, in hundredths."""
    return float(np.clip(round(rng.normal(0.65 if right else 0.4, 0.15), 2), 0, 1))


def stars(rng: np.random.Generator, right: bool) -> float:
    """One to five."""
    return float(np.clip(rng.integers(3, 6) if right else rng.integers(1, 4), 1, 5))


DOSAGE = Plan()
PUZZLE = Plan(of.puzzle, of.puzzle_answer)
CRATE = Plan(of.crate, of.crate_answer, tasks=6)
SHEET = Plan(of.sheet, of.sheet_answer)
COUPLET = Plan(of.couplet, of.couplet_answer, pay=graded, is_known=False, estimate=by.centred)
DESK = Plan(of.desk, of.desk_answer, pay=stars, is_known=False, estimate=by.leave_one_out)
