"""Tasks, and attempts at them by a policy that learns."""

import math
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from itertools import groupby
from random import Random
from typing import Any


@dataclass
class Reply:
    """What a policy wrote, with what tools or users answered in between."""

    messages: list[dict]
    answer: str = ""
    facts: dict = field(default_factory=dict)


Solve = Callable[[Random, bool, float], Reply]
"""Draws, whether the attempt succeeds, progress of the training from 0 to 1 -> the reply."""


@dataclass
class Task:
    """One problem of the data."""

    id: str
    family: str
    prompt: list[dict]
    gold: str
    hardness: float
    solve: Solve
    extra: dict = field(default_factory=dict)


@dataclass
class Sample:
    """One attempt."""

    task: Task
    step: int
    attempt: int
    progress: float
    right: bool
    reply: Reply
    reward: Any = 0.0
    terms: dict[str, Any] = field(default_factory=dict)
    advantage: float | None = None
    in_loss: bool = True
    stop: str = "stop"
    error: str | None = None
    split: str = "train"
    extra: dict = field(default_factory=dict)

    def __post_init__(self) -> None:
        """Grade by the outcome until a kind says otherwise."""
        self.grade(self.right)

    def grade(self, right: bool) -> None:
        """Set the outcome, with a reward of one for success."""
        self.right = right
        self.reward = float(right)
        self.terms = {"accuracy": self.reward}

    @property
    def own_text(self) -> str:
        """All that the policy wrote."""
        return "\n".join(m["content"] or "" for m in self.reply.messages if m["role"] == "assistant")

    @property
    def tokens(self) -> int:
        """Sampled tokens, roughly."""
        calls = sum(len(str(m.get("tool_calls", ""))) for m in self.reply.messages)
        return 3 + int((len(self.own_text) + calls) / 3.6)


@dataclass(frozen=True)
class Course:
    """How long and how well a policy trains."""

    steps: int
    per_step: int
    group: int
    start: float
    gain: float
    bend: float = 1.0

    def progress(self, step: int) -> float:
        """From 0 to 1 over the run."""
        return step / max(1, self.steps - 1)

    def skill(self, step: int) -> float:
        """Log-odds of success at a task of hardness zero."""
        return self.start + self.gain * self.progress(step) ** self.bend


def user(text: str, system: str = "") -> list[dict]:
    """A prompt of one question."""
    head = [{"role": "system", "content": system}] if system else []
    return [*head, {"role": "user", "content": text}]


def says(text: str) -> dict:
    """A message of the policy."""
    return {"role": "assistant", "content": text}


def odds(skill: float) -> float:
    """Probability of log-odds."""
    return 1 / (1 + math.exp(-skill))


def deal(rng: Random, tasks: list[Task], steps: int, per_step: int) -> list[list[Task]]:
    """Epoch after epoch in a fresh order; no task twice in one step."""
    plan: list[list[Task]] = []
    queue: list[Task] = []
    for _ in range(steps):
        chosen: list[Task] = []
        while len(chosen) < per_step:
            if not queue:
                queue = rng.sample(tasks, len(tasks))
            task = queue.pop()
            if all(task.id != c.id for c in chosen):
                chosen.append(task)
        plan.append(chosen)
    return plan


def attempt(rng: Random, task: Task, step: int, number: int, progress: float, skill: float) -> Sample:
    """One attempt at a task."""
    right = rng.random() < odds(skill - task.hardness)
    return Sample(task, step, number, progress, right, task.solve(rng, right, progress))


def play(rng: Random, plan: list[list[Task]], course: Course) -> list[Sample]:
    """Attempts at what the plan holds, step by step."""
    samples = []
    for step, tasks in enumerate(plan):
        for task in tasks:
            skill = course.skill(step) + rng.gauss(0, 0.15)
            for number in range(course.group):
                samples.append(attempt(rng, task, step, number, course.progress(step), skill))
    return samples


def pool(rng: Random, make: Callable[[Random, int], Task], size: int) -> list[Task]:
    """Tasks of different prompts."""
    tasks: dict[str, Task] = {}
    number = 0
    while len(tasks) < size:
        task = make(rng, number)
        tasks.setdefault(str(task.prompt), task)
        number += 1
    return list(tasks.values())


def train(rng: Random, make: Callable[[Random, int], Task], course: Course) -> list[Sample]:
    """A training on tasks of one maker; no task comes twice, and other courses have other tasks."""
    draws = Random(f"{course} {rng.getrandbits(62)}")
    tasks = pool(draws, make, course.steps * course.per_step)
    return play(draws, deal(draws, tasks, course.steps, course.per_step), course)


def groups(samples: Iterable[Sample]) -> list[list[Sample]]:
    """The attempts at one task in one step."""
    ordered = sorted(samples, key=lambda s: (s.split, s.step, s.task.id, s.attempt))
    return [list(g) for _, g in groupby(ordered, key=lambda s: (s.split, s.step, s.task.id))]
