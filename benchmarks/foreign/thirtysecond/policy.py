"""A simulated policy that learns: which attempts it makes at which tasks, and which of them it gets right."""

import math
import random
from collections.abc import Callable
from dataclasses import dataclass, field

import numpy as np

from benchmarks.foreign.estimators import Estimator


@dataclass
class Task:
    """A problem: its text, the right answer as text, how hard it is, and what else its solver needs."""

    id: str
    question: str
    gold: str
    hard: float = 0.0
    data: dict = field(default_factory=dict)


@dataclass
class Try:
    """One attempt, filled in by the kind that draws it."""

    step: int
    group: str
    number: int
    task: Task
    right: bool
    progress: float
    text: str = ""
    answer: str = ""
    messages: list[dict] = field(default_factory=list)
    reward: float = 0.0
    advantage: float = 0.0

    @property
    def tokens(self) -> int:
        """Tokens of the text, or of what the assistant says over all messages."""
        if self.text:
            return count(self.text)
        spoken = [m for m in self.messages if m["role"] == "assistant"]
        calls = [c for m in spoken for c in m.get("tool_calls", ())]
        return count("".join(m["content"] for m in spoken) + "".join(f"{c['name']} {c['arguments']}" for c in calls))


def count(text: str) -> int:
    """Tokens of a text, at four characters a token."""
    return max(1, round(len(text) / 4))


def chance(start: float, end: float, progress: float, hard: float = 0.0) -> float:
    """Chance of success on the way from start to end, of a task so hard."""
    level = math.log(start / (1 - start)) * (1 - progress) + math.log(end / (1 - end)) * progress
    return 1 / (1 + math.exp(hard - level))


def tries(
    rng: random.Random,
    tasks: list[Task],
    steps: int = 12,
    per_step: int = 8,
    size: int = 6,
    start: float = 0.3,
    end: float = 0.65,
) -> list[Try]:
    """Attempts of a run: a few tasks a step, in shuffled epochs, each tried several times."""
    out: list[Try] = []
    queue: list[Task] = []
    for step in range(steps):
        taken: list[Task] = []
        while len(taken) < min(per_step, len(tasks)):
            if not queue:
                queue = [task for task in rng.sample(tasks, len(tasks)) if task not in taken]
            taken.append(queue.pop())
        progress = step / max(1, steps - 1)
        for task in taken:
            sure = chance(start, end, progress, task.hard)
            group = f"{step}-{task.id}"
            out += [Try(step, group, i, task, rng.random() < sure, progress) for i in range(size)]
    return out


def advantages(attempts: list[Try], estimator: Estimator, by: Callable[[Try], float] = lambda t: t.reward) -> None:
    """Set the advantages of all attempts, step by step, as the estimator computes them."""
    for step in sorted({t.step for t in attempts}):
        batch = [t for t in attempts if t.step == step]
        values = estimator(
            np.array([by(t) for t in batch], float),
            np.array([t.group for t in batch]),
            np.array([t.tokens for t in batch], float),
            np.random.default_rng(step),
        )
        for t, value in zip(batch, values, strict=True):
            t.advantage = round(float(value), 6)


def shared(rng: random.Random, low: float, high: float, progress: float) -> bool:
    """Whether a habit shows, that goes from a low share to a high one as the run proceeds."""
    return rng.random() < low + (high - low) * progress
