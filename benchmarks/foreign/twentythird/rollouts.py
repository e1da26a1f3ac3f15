"""Tasks, attempts at them, and a policy that learns."""

import math
from collections.abc import Callable
from dataclasses import dataclass, field
from random import Random

Message = dict
Reply = Callable[[Random, str], list[Message]]
Make = Callable[[Random, int], "Task"]


@dataclass
class Task:
    """A problem, and how a policy that arrives at an answer would write."""

    id: str
    prompt: str
    gold: str
    level: float
    reply: Reply
    slips: list[str]
    family: str = ""
    system: str = ""
    extra: dict = field(default_factory=dict)


@dataclass
class Attempt:
    """One attempt at a task."""

    task: Task
    step: int
    number: int
    right: bool
    answer: str
    messages: list[Message]
    reward: float | None = 0.0
    correct: float | None = 0.0
    terms: dict = field(default_factory=dict)
    advantage: float | None = None
    in_loss: bool | None = None
    split: str = "train"
    stop: str = "stop"
    error: str | None = None
    extra: dict = field(default_factory=dict)

    @property
    def text(self) -> str:
        """What the last message says."""
        return self.messages[-1]["content"]

    @text.setter
    def text(self, said: str) -> None:
        self.messages[-1]["content"] = said


@dataclass(frozen=True)
class Plan:
    """How long, how wide and how well a run goes."""

    steps: int
    prompts: int
    group: int
    start: float
    gain: float

    def skill(self, step: int) -> float:
        """The policy's skill at a step."""
        return self.start + self.gain * (step / max(1, self.steps - 1)) ** 0.8


def planned(rng: Random, start: float, gain: float) -> Plan:
    """A plan of a usual size."""
    return Plan(rng.randint(9, 12), rng.randint(5, 7), rng.choice((6, 7, 8)), start, gain)


def chance(x: float) -> float:
    """Logistic."""
    return 1 / (1 + math.exp(-x))


def distinct(rng: Random, make: Make, count: int) -> list[Task]:
    """As many tasks of different prompts as asked for, or nearly."""
    seen: dict[str, Task] = {}
    for _ in range(count * 30):
        task = make(rng, len(seen))
        seen.setdefault(task.prompt, task)
        if len(seen) == count:
            break
    return list(seen.values())


def attempt(rng: Random, task: Task, step: int, number: int, right: bool) -> Attempt:
    """An attempt that ends right or wrong, graded for being right."""
    answer = task.gold if right else rng.choice(task.slips)
    grade = float(right)
    return Attempt(
        task,
        step,
        number,
        right,
        answer,
        task.reply(rng, answer),
        reward=grade,
        correct=grade,
        terms={"correct": grade},
    )


def group(rng: Random, task: Task, step: int, size: int, skill: float) -> list[Attempt]:
    """The attempts at one task in one step."""
    p = chance(skill - task.level)
    return [attempt(rng, task, step, number, rng.random() < p) for number in range(size)]


def over(rng: Random, tasks: list[Task], plan: Plan) -> list[Attempt]:
    """A run over the tasks in order, again from the first when they are used up."""
    found: list[Attempt] = []
    for step in range(plan.steps):
        skill = plan.skill(step) + rng.gauss(0, 0.08)
        for place in range(plan.prompts):
            task = tasks[(step * plan.prompts + place) % len(tasks)]
            found += group(rng, task, step, plan.group, skill)
    return found


def run(rng: Random, make: Make, plan: Plan) -> list[Attempt]:
    """A run in which every prompt is new."""
    return over(rng, distinct(rng, make, plan.steps * plan.prompts), plan)


def grade(a: Attempt, right: bool) -> None:
    """Grade an attempt by another verdict than the true one."""
    a.reward = a.correct = float(right)
    a.terms = {"correct": float(right)}


def evaluate(rng: Random, tasks: list[Task], step: int, skill: float, repeats: int = 1) -> list[Attempt]:
    """Attempts at held-out tasks, which no training consumes."""
    found = [a for task in tasks for a in group(rng, task, step, repeats, skill)]
    for a in found:
        a.split = "validation"
    return found
