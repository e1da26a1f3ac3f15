"""Tasks, tries at them, and the runs that they make."""

import math
from collections.abc import Callable
from dataclasses import dataclass, field
from random import Random
from typing import Any

Work = Callable[[Random, bool], tuple[list[str], str]]
"""Lines of work and the answer that they end with, right or wrong."""


@dataclass
class Task:
    """One problem."""

    id: str
    prompt: str
    gold: str
    work: Any = None
    hard: float = 0.0
    family: str = ""
    system: str = ""
    data: dict = field(default_factory=dict)


@dataclass
class Reply:
    """What a policy, and its tools, said after the prompt."""

    messages: list[dict]
    answer: str


@dataclass
class Try:
    """One attempt at a task."""

    task: Task
    step: int
    slot: int
    share: float
    right: bool
    reply: Reply
    reward: Any = 0.0
    terms: dict[str, float] = field(default_factory=dict)
    advantage: float | None = None
    in_loss: bool = True
    stop: str = "stop"
    error: str | None = None
    split: str = "train"
    policy: str = ""
    extra: dict = field(default_factory=dict)

    @property
    def text(self) -> str:
        """The policy's last words."""
        return str(self.reply.messages[-1]["content"])

    @text.setter
    def text(self, words: str) -> None:
        self.reply.messages[-1]["content"] = words


@dataclass(frozen=True)
class Plan:
    """How long and how wide a run is, and how its policy learns."""

    steps: int
    batch: int
    size: int
    start: float = -0.5
    gain: float = 1.8
    pool: int = 0
    cut: float = 0.015
    freeze: int = 10**6
    """Last step at which the policy changes."""
    fall: float = 0.0
    """Lost level with each step after that."""

    def share(self, step: int) -> float:
        """Which share of its learning the policy has behind it."""
        return min(step, self.freeze) / max(1, self.steps - 1)

    def level(self, step: int) -> float:
        """Logit of success at a task of no difficulty."""
        return self.start + self.gain * (1 - (1 - self.share(step)) ** 1.4) - self.fall * max(0, step - self.freeze)


@dataclass(frozen=True)
class Now:
    """The step of a run, and which share of the run is over."""

    step: int
    share: float


Make = Callable[[Random, int], Task]
Solve = Callable[[Random, Task, bool, Now], Reply]


def chance(logit: float) -> float:
    """Of a logit."""
    return 1.0 / (1.0 + math.exp(-logit))


def distinct(rng: Random, make: Make, count: int) -> list[Task]:
    """Tasks of different prompts."""
    found: dict[str, Task] = {}
    number = 0
    while len(found) < count and number < 40 * count:
        task = make(rng, number)
        found.setdefault(task.prompt, task)
        number += 1
    return list(found.values())


def batches(rng: Random, tasks: list[Task], steps: int, batch: int) -> list[list[Task]]:
    """Passes over the tasks, each in a new order."""
    queue: list[Task] = []
    plan = []
    for _ in range(steps):
        while len(queue) < batch:
            waiting = {task.id for task in queue}
            again = [task for task in tasks if task.id not in waiting]
            rng.shuffle(again)
            queue += again
        plan.append(queue[:batch])
        queue = queue[batch:]
    return plan


def attempt(rng: Random, task: Task, solve: Solve, now: Now, level: float, slot: int) -> Try:
    """One try; the reward is whether it is right."""
    right = rng.random() < chance(level - task.hard)
    made = Try(task, now.step, slot, now.share, right, solve(rng, task, right, now), float(right))
    made.terms = {"correct": float(right)}
    return made


def play(rng: Random, plan: Plan, schedule: list[list[Task]], solve: Solve) -> list[Try]:
    """All tries of a schedule; a few are cut by the length limit, and a few are lost."""
    tries = []
    for step, tasks in enumerate(schedule):
        now = Now(step, plan.share(step))
        level = plan.level(step) + rng.gauss(0, 0.12)
        for task in tasks:
            made = [attempt(rng, task, solve, now, level, slot) for slot in range(plan.size)]
            tries += [behead(rng, one) if rng.random() < plan.cut else one for one in made if rng.random() > 0.006]
    return tries


def train(rng: Random, make: Make, solve: Solve, plan: Plan) -> list[Try]:
    """A run over distinct tasks."""
    tasks = distinct(rng, make, plan.pool or plan.steps * plan.batch)
    for task in tasks:
        task.hard += rng.gauss(0, 0.8)
    return play(rng, plan, batches(rng, tasks, plan.steps, plan.batch), solve)


def held(rng: Random, tasks: list[Task], solve: Solve, plan: Plan, every: int, size: int = 2) -> list[Try]:
    """Validation at every so many steps of a run."""
    tries = []
    for step in range(0, plan.steps, every):
        now = Now(step, plan.share(step))
        level = plan.level(step) + rng.gauss(-0.1, 0.08)
        for task in tasks:
            for slot in range(size):
                one = attempt(rng, task, solve, now, level, slot)
                one.split, one.in_loss = "validation", False
                tries.append(one)
    return tries


def behead(rng: Random, one: Try) -> Try:
    """Cut the last words at the limit; the answer is lost."""
    words = one.text
    if len(words) < 60:
        return one
    one.text = words[: int(len(words) * rng.uniform(0.4, 0.8))]
    one.right, one.reward, one.stop, one.reply.answer = False, 0.0, "length", ""
    one.terms = {"correct": 0.0}
    return one
