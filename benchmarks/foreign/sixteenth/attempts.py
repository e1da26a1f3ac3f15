"""Problems, attempts at them, and a policy that learns from step to step."""

import math
from collections.abc import Callable
from dataclasses import dataclass, field
from random import Random
from typing import Any

from benchmarks.foreign.case import Row

Written = tuple[list[Row], str]
"""The messages after the prompt, and the answer they end with."""


@dataclass
class Task:
    """One problem."""

    prompt: str
    gold: str
    family: str
    level: float = 0.0
    system: str = ""
    secret: Row = field(default_factory=dict)
    """What its writer needs and no row shows."""
    extra: Row = field(default_factory=dict)
    key: str = ""


@dataclass
class Try:
    """One attempt."""

    task: Task
    step: int
    attempt: int
    right: bool
    turns: list[Row]
    answer: str
    progress: float
    reward: Any = 0.0
    terms: dict[str, float] = field(default_factory=dict)
    correct: float | None = None
    advantage: float | None = None
    in_loss: bool = True
    stop: str = "stop"
    error: str | None = None
    split: str = "train"
    seconds: float = 0.0
    extra: Row = field(default_factory=dict)

    @property
    def group(self) -> str:
        """The attempts at one problem in one step."""
        return f"{self.split}-{self.step:03d}-{self.task.key}"

    @property
    def text(self) -> str:
        """All that the policy wrote."""
        return "\n".join(turn["content"] for turn in self.turns if turn["role"] == "assistant")

    @property
    def last(self) -> Row:
        """The last message of the policy."""
        return next(turn for turn in reversed(self.turns) if turn["role"] == "assistant")

    def grade(self, **terms: float) -> None:
        """Reward is the sum of the terms; correctness what the attempt is."""
        self.terms = {name: round(value, 4) + 0.0 for name, value in terms.items()}
        self.reward = round(sum(terms.values()), 4)
        self.correct = float(self.right)


@dataclass(frozen=True)
class World:
    """A way to draw problems, and to write right and wrong attempts at them."""

    prefix: str
    make: Callable[[Random], Task]
    write: Callable[[Random, Task, bool], Written]


@dataclass(frozen=True)
class Shape:
    """How long and wide a run is, and how its policy learns; `pool` problems return in epochs, 0: none returns."""

    steps: int
    groups: int
    size: int
    start: float = -0.8
    gain: float = 2.0
    pool: int = 0


def tasks_of(rng: Random, world: World, number: int) -> list[Task]:
    """Problems of different text."""
    found: dict[str, Task] = {}
    for _ in range(number * 40):
        task = world.make(rng)
        found.setdefault(task.prompt, task)
        if len(found) == number:
            break
    tasks = list(found.values())
    base = rng.randrange(100, 9000)
    for place, task in enumerate(tasks):
        task.key = f"{world.prefix}{base + place}"
        task.level += rng.gauss(0, 0.7)
    return tasks


def schedule(rng: Random, tasks: list[Task], shape: Shape) -> list[list[Task]]:
    """The problems of each step, in shuffled epochs."""
    queue: list[Task] = []
    plan = []
    for _ in range(shape.steps):
        while len(queue) < shape.groups:
            queue += rng.sample(tasks, len(tasks))
        plan.append(queue[: shape.groups])
        queue = queue[shape.groups :]
    return plan


def chance(skill: float, level: float) -> float:
    """Of a right attempt."""
    return 1 / (1 + math.exp(level - skill))


def attempt(rng: Random, world: World, task: Task, step: int, number: int, skill: float, progress: float) -> Try:
    """One attempt of a policy of a skill, graded as right or wrong."""
    right = rng.random() < chance(skill, task.level)
    turns, answer = world.write(rng, task, right)
    one = Try(task, step, number, right, turns, answer, progress)
    one.grade(accuracy=float(right))
    return one


def play(rng: Random, world: World, plan: list[list[Task]], shape: Shape, first: int = 1) -> list[Try]:
    """All attempts of a run; the policy gains skill, unevenly."""
    tries = []
    for place, tasks in enumerate(plan):
        progress = place / max(1, len(plan) - 1)
        skill = shape.start + shape.gain * progress**0.85 + rng.gauss(0, 0.12)
        for task in tasks:
            for number in range(shape.size):
                tries.append(attempt(rng, world, task, first + place, number, skill, progress))
    return tries


def train(rng: Random, world: World, shape: Shape) -> list[Try]:
    """A run from its shape alone."""
    tasks = tasks_of(rng, world, shape.pool or shape.steps * shape.groups)
    return play(rng, world, schedule(rng, tasks, shape), shape)


def say(text: str, *calls: Row) -> Row:
    """A message of the policy."""
    message: Row = {"role": "assistant", "content": text}
    return message | {"tool_calls": list(calls)} if calls else message


def call(name: str, **arguments: object) -> Row:
    """A call of a tool."""
    return {"name": name, "arguments": arguments}


def told(name: str, text: str, *, ok: bool = True) -> Row:
    """What a tool answers."""
    return {"role": "tool", "content": text, "tool_name": name, "ok": ok}
