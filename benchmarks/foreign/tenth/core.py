"""Tasks, replies and attempts, and a policy that learns from step to step."""

import math
from collections.abc import Callable
from dataclasses import dataclass, field
from random import Random
from typing import Any

from benchmarks.foreign.case import Row


@dataclass
class Reply:
    """What a policy did with a task: its turns, with tools' answers between, and what it handed in."""

    turns: list[Row]
    answer: str
    facts: dict = field(default_factory=dict)


Answer = Callable[[Random, bool], Reply]


@dataclass
class Task:
    """A problem, how hard it is in logits, and how it is answered rightly or wrongly."""

    id: str
    prompt: str
    gold: str
    answer: Answer
    family: str
    level: float = 0.0
    system: str = ""
    facts: dict = field(default_factory=dict)
    world: Any = None
    """What the problem was drawn from; in no row."""


Make = Callable[[Random, str], Task]


@dataclass
class Attempt:
    """One try at a task."""

    task: Task
    step: int
    number: int
    split: str
    right: bool
    reply: Reply
    reward: Any = 0.0
    """A number; None where nothing was graded."""
    terms: dict = field(default_factory=dict)
    advantage: Any = None
    in_loss: bool = True
    error: str | None = None
    stop: str = "stop"
    is_cut: bool = False
    seconds: float = 0.0
    extra: dict = field(default_factory=dict)

    @property
    def group(self) -> str:
        """Name of the attempts at this task in this step."""
        return f"{self.split[:2]}{self.step:03d}-{self.task.id}"

    @property
    def written(self) -> str:
        """All text of the policy."""
        return "\n".join(t.get("content") or "" for t in self.reply.turns if t["role"] == "assistant")


def text_reply(text: str, answer: str, **facts: object) -> Reply:
    """A reply of one message."""
    return Reply([{"role": "assistant", "content": text}], answer, facts)


def deal(rng: Random, make: Make, count: int, prefix: str) -> list[Task]:
    """Tasks of which no two have one prompt, with a difficulty each."""
    tasks: dict[str, Task] = {}
    while len(tasks) < count:
        task = make(rng, f"{prefix}{len(tasks) * 7 + rng.randrange(7):04d}")
        task.level += rng.gauss(0, 0.8)
        tasks.setdefault(task.prompt, task)
    return list(tasks.values())


def by_step(tasks: list[Task], steps: int) -> list[list[Task]]:
    """The tasks in order, the same number in each step."""
    size = len(tasks) // steps
    return [tasks[i * size : (i + 1) * size] for i in range(steps)]


def climb(rng: Random, start: float, gain: float, steps: int) -> list[float]:
    """Skill in logits at each step: it rises fast at first, and wavers."""
    full = 1 - math.exp(-1.8)
    return [
        start + gain * (1 - math.exp(-1.8 * i / max(steps - 1, 1))) / full + rng.gauss(0, 0.1) for i in range(steps)
    ]


def chance(logit: float) -> float:
    """Probability of a logit."""
    return 1 / (1 + math.exp(-logit))


def play(
    rng: Random, plan: list[list[Task]], size: int, skill: list[float], split: str = "train", first: int = 1
) -> list[Attempt]:
    """A group of attempts at each task of each step."""
    attempts = []
    for offset, (tasks, level) in enumerate(zip(plan, skill, strict=True)):
        for task in tasks:
            for number in range(size):
                right = rng.random() < chance(level - task.level)
                attempts.append(Attempt(task, first + offset, number, split, right, task.answer(rng, right)))
    return attempts


def mark(attempts: list[Attempt], name: str = "accuracy") -> list[Attempt]:
    """Reward one for a right answer, nothing for a wrong one."""
    for a in attempts:
        a.reward = float(a.right)
        a.terms = {name: a.reward}
    return attempts


def cut_some(rng: Random, attempts: list[Attempt], rate: float) -> list[Attempt]:
    """Some attempts hit the token limit before their answer."""
    for a in attempts:
        if a.reply.turns[-1]["role"] == "assistant" and rng.random() < rate:
            text = a.reply.turns[-1]["content"]
            a.reply.turns[-1] = {**a.reply.turns[-1], "content": text[: int(len(text) * rng.uniform(0.45, 0.8))]}
            a.right, a.is_cut, a.stop, a.reply.answer = False, True, "length", ""
    return attempts


def groups(attempts: list[Attempt]) -> list[list[Attempt]]:
    """The attempts of each group."""
    found: dict[str, list[Attempt]] = {}
    for a in attempts:
        found.setdefault(a.group, []).append(a)
    return list(found.values())
