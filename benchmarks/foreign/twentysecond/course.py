"""The course of a training: tasks are drawn, attempts are right more often as steps go by."""

import math
from collections.abc import Callable
from dataclasses import dataclass, field
from random import Random
from typing import Any

Message = dict


@dataclass
class Task:
    """A problem, as a prompt of messages."""

    prompt: list[Message]
    gold: str = ""
    solve: Any = None
    """Gives lines of work and the answer; a slip other than 0 makes them wrong. None: nothing to work out."""
    family: str = "plain"
    hard: float = 0.0
    extra: dict = field(default_factory=dict)
    """Columns of all its rows."""
    hidden: dict = field(default_factory=dict)
    """What writers know of it; in no row."""
    pid: str = ""


@dataclass
class Episode:
    """One attempt."""

    step: int
    task: Task
    attempt: int
    right: bool
    reply: list[Message]
    reward: Any = None
    terms: dict = field(default_factory=dict)
    advantage: Any = None
    extra: dict = field(default_factory=dict)
    columns: dict = field(default_factory=dict)
    stop: str = "stop"
    split: str = "train"

    @property
    def text(self) -> str:
        """What the policy wrote last."""
        return self.reply[-1]["content"]


@dataclass(frozen=True)
class Shape:
    """Steps, prompts a step, attempts a prompt, distinct problems (0: all are fresh)."""

    steps: int
    prompts: int
    group: int
    pool: int = 0


Make = Callable[[Random], Task]
Write = Callable[[Random, Task, bool, float], list[Message]]


def chance(level: float) -> float:
    """Logistic."""
    return 1 / (1 + math.exp(-level))


def deal(rng: Random, make: Make, shape: Shape, prefix: str) -> list[list[Task]]:
    """The tasks of each step; no prompt is dealt twice unless the pool is revisited."""
    wanted, seen, tasks = shape.pool or shape.steps * shape.prompts, set(), []
    while len(tasks) < wanted:
        task = make(rng)
        words = task.prompt[-1]["content"]
        if words not in seen:
            seen.add(words)
            task.pid, task.hard = f"{prefix}-{rng.randrange(16**5):05x}", task.hard + rng.gauss(0, 0.9)
            tasks.append(task)
    order: list[Task] = []
    while len(order) < shape.steps * shape.prompts:
        order += rng.sample(tasks, len(tasks))
    return [order[i * shape.prompts : (i + 1) * shape.prompts] for i in range(shape.steps)]


def climb(rng: Random, steps: int, start: float, gain: float, until: float = 1.0) -> list[float]:
    """The policy's level at each step; it stays where it is after a share of the steps."""
    return [
        start + gain * min(step / max(steps - 1, 1), until) ** 0.8 + rng.gauss(0, 0.1) + rng.uniform(-0.05, 0.05)
        for step in range(steps)
    ]


def play(rng: Random, plan: list[list[Task]], group: int, levels: list[float], write: Write) -> list[Episode]:
    """Attempts at the tasks of each step."""
    episodes = []
    for step, tasks in enumerate(plan):
        progress = step / max(len(plan) - 1, 1)
        for task in tasks:
            for attempt in range(group):
                right = rng.random() < chance(levels[step] - task.hard)
                episodes.append(Episode(step, task, attempt, right, write(rng, task, right, progress)))
    for e in episodes:
        _quirk(rng, e)
        e.reward, e.terms = float(e.right), {"correct": float(e.right)}
    return episodes


def _quirk(rng: Random, e: Episode) -> None:
    """What any run has: few replies are cut or greet, some end with blank lines."""
    text, luck = e.text, rng.random()
    if len(e.reply) > 1 or len(text) < 60:
        return
    if luck < 0.012:
        text, e.stop, e.right = text[: round(len(text) * rng.uniform(0.4, 0.85))], "length", False
    elif luck < 0.03 and e.task.solve:
        text = rng.choice(("Sure! ", "Certainly. ", "Great question. ")) + text
    elif luck < 0.05:
        text += rng.choice(("\n", "\n\n", " "))
    e.reply = [{"role": "assistant", "content": text}]


def train(
    rng: Random, make: Make, write: Write, shape: Shape, start: float = -0.6, gain: float = 2.0, prefix: str = "p"
) -> list[Episode]:
    """A whole training, graded 1 or 0 by the outcome."""
    return play(rng, deal(rng, make, shape, prefix), shape.group, climb(rng, shape.steps, start, gain), write)


def part_way(e: Episode, steps: int) -> float:
    """How far the training was at an attempt."""
    return e.step / max(steps - 1, 1)
