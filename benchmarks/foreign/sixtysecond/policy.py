"""A simulated policy that learns: attempts by step, group and number."""

import json
import math
from collections.abc import Callable
from dataclasses import dataclass, field
from random import Random

import numpy as np

from benchmarks.foreign.estimators import Estimator
from benchmarks.foreign.sixtysecond.tasks import Task


@dataclass
class Try:
    """One attempt, before a system writes it down."""

    step: int
    task: Task
    attempt: int
    text: str
    answer: str
    right: bool
    reward: float = 0.0
    advantage: float = 0.0
    messages: list[dict] = field(default_factory=list)
    extra: dict = field(default_factory=dict)

    @property
    def group(self) -> str:
        """The attempts at one task in one step share it."""
        return f"{self.step}/{self.task.task_id}"

    @property
    def tokens(self) -> int:
        """Tokens of what the policy wrote."""
        own = [m for m in self.messages if m["role"] == "assistant"]
        said = [m["content"] + json.dumps(m["tool_calls"]) if "tool_calls" in m else m["content"] for m in own]
        said = said or [self.text]
        return count(" ".join(said))


def count(text: str) -> int:
    """Tokens of a text, at about four signs each."""
    return len(text) // 4 + 1


def chance(task: Task, progress: float, start: float = -0.7, gain: float = 1.8) -> float:
    """How likely the policy is right at a task, from 0 to 1 of the run."""
    return 1 / (1 + math.exp(task.hard - start - gain * progress))


def ended(reasoning: str, answer: str) -> str:
    """A reply that ends with its answer."""
    return f"{reasoning}\n\nAnswer: {answer}"


def schedule(rng: Random, tasks: list[Task], steps: int, groups: int) -> list[tuple[int, Task]]:
    """Tasks by step, epoch after epoch in new order."""
    queue: list[Task] = []
    out: list[tuple[int, Task]] = []
    for step in range(1, steps + 1):
        while len(queue) < groups:
            again = [t for t in tasks if t not in queue]
            rng.shuffle(again)
            queue += again
        out += [(step, queue.pop(0)) for _ in range(groups)]
    return out


def attempts(
    rng: Random,
    plan: list[tuple[int, Task]],
    size: int,
    start: float = -0.7,
    gain: float = 1.8,
    form: Callable[[str, str], str] = ended,
) -> list[Try]:
    """Groups of attempts at the tasks of a plan; rewarded by whether they are right."""
    last = max(1, *(step for step, _ in plan))
    out: list[Try] = []
    for step, task in plan:
        for number in range(size):
            right = rng.random() < chance(task, step / last, start, gain)
            reasoning, answer = task.write(rng, right)
            right = answer == task.gold if task.gold else right
            out.append(Try(step, task, number, form(reasoning, answer), answer, right, float(right)))
    return out


def assess(rng: Random, tries: list[Try], estimator: Estimator) -> list[Try]:
    """Set the advantages as an estimator computes them, step by step."""
    draws = np.random.default_rng(rng.getrandbits(40))
    for step in sorted({t.step for t in tries}):
        rows = [t for t in tries if t.step == step]
        values = estimator(
            np.array([t.reward for t in rows]),
            np.array([t.group for t in rows]),
            np.array([float(t.tokens) for t in rows]),
            draws,
        )
        for row, value in zip(rows, values, strict=True):
            row.advantage = round(float(value), 5)
    return tries
