"""A simulated policy that learns: tasks in, attempts by step and group out, and the advantages of an estimator."""

import math
import random
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from benchmarks.foreign.estimators import Estimator

Turns = list[dict[str, Any]]
"""Messages after the prompt, of the policy and of its tools."""


@dataclass(frozen=True)
class Task:
    """A problem, its key, and how a policy that gets it right or wrong writes."""

    id: str
    prompt: str
    gold: str
    hard: float
    family: str
    solve: Callable[[random.Random, bool], tuple[str | Turns, str]]
    system: str = ""


@dataclass
class Shot:
    """One attempt at a task."""

    task: Task
    step: int
    attempt: int
    right: bool
    turns: Turns
    answer: str
    reward: float = 0.0
    advantage: float | None = None
    stop: str = "stop"
    split: str = "train"
    extra: dict[str, Any] = field(default_factory=dict[str, Any])

    @property
    def text(self) -> str:
        """What the policy wrote last."""
        return str(self.turns[-1]["content"])

    @property
    def tokens(self) -> int:
        """Sampled tokens over all turns."""
        return sum(count(said(turn)) for turn in self.turns if turn["role"] == "assistant")

    @property
    def group(self) -> str:
        """Name of the attempts at one task in one step."""
        return f"{self.step}/{self.task.id}"

    def rewrite(self, text: str) -> None:
        """Put other words in the place of the last message."""
        self.turns = [*self.turns[:-1], {"role": "assistant", "content": text}]


def said(turn: dict[str, Any]) -> str:
    """All that a message holds, calls included."""
    calls = "".join(f"{call['name']}{call['arguments']}" for call in turn.get("tool_calls", []))
    return str(turn["content"]) + calls


def count(text: str) -> int:
    """Tokens of a text, nearly."""
    return max(1, round(len(text) / 3.9))


def attempt(rng: random.Random, task: Task, step: int, number: int, right: bool) -> Shot:
    """One attempt of the wanted outcome, paid by it."""
    written, answer = task.solve(rng, right)
    turns = [{"role": "assistant", "content": written}] if isinstance(written, str) else written
    return Shot(task, step, number, right, turns, answer, float(right))


def chance(task: Task, progress: float, start: float = -0.5, end: float = 1.3) -> float:
    """How often a policy at this progress gets the task right."""
    return 1 / (1 + math.exp(-(start + (end - start) * progress - 4.0 * (task.hard - 0.5))))


def rollout(
    rng: random.Random,
    batches: Iterable[Sequence[Task]],
    group: int,
    start: float = -0.5,
    end: float = 1.3,
    first: int = 1,
) -> list[Shot]:
    """Attempts at batches of tasks, one batch a step, by a policy whose skill goes from start to end."""
    listed = list(batches)
    shots: list[Shot] = []
    for index, tasks in enumerate(listed):
        progress = index / max(1, len(listed) - 1)
        for task in tasks:
            for number in range(group):
                right = rng.random() < chance(task, progress, start, end)
                shots.append(attempt(rng, task, first + index, number, right))
    return shots


def batches(make: Callable[[random.Random, int], Task], rng: random.Random, steps: int, size: int) -> list[list[Task]]:
    """Fresh tasks for every step."""
    seen: set[str] = set()

    def fresh(number: int) -> Task:
        task = make(rng, number)
        for _ in range(200):
            if task.prompt not in seen:
                break
            task = make(rng, number)
        seen.add(task.prompt)
        return task

    return [[fresh(step * size + place) for place in range(size)] for step in range(steps)]


def advantages(rng: random.Random, shots: Sequence[Shot], estimator: Estimator) -> None:
    """Fill in what the estimator makes of the rewards, step by step."""
    draws = np.random.default_rng(rng.getrandbits(32))
    for step in sorted({shot.step for shot in shots}):
        mine = [shot for shot in shots if shot.step == step]
        values = estimator(
            np.array([shot.reward for shot in mine]),
            np.array([shot.group for shot in mine]),
            np.array([shot.tokens for shot in mine], dtype=float),
            draws,
        )
        for shot, value in zip(mine, values, strict=True):
            shot.advantage = round(float(value), 5)
