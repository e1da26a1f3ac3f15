"""Tasks, attempts at them, and the loop of a policy that learns."""

import math
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from random import Random
from typing import Any

Message = dict
Maker = Callable[[Random, int], "Task"]
Curve = Callable[[int], float]


@dataclass
class Task:
    """A problem: how it is put, what is right, and how an attempt at it reads."""

    key: str
    family: str
    prompt: str
    gold: str
    hard: float
    wrong: Callable[[Random], str]
    work: Callable[[Random, str, bool], list[Message]]
    system: str = ""
    extra: dict = field(default_factory=dict)


@dataclass
class Attempt:
    """One attempt, with what grader and trainer made of it."""

    task: Task
    step: int
    number: int
    right: bool
    answer: str
    messages: list[Message]
    skill: float = 0.5
    progress: float = 0.0
    """Share of the run that is done."""
    reward: Any = None
    correct: float | None = None
    terms: dict = field(default_factory=dict)
    advantage: float | None = None
    in_loss: bool = True
    stop: str = "stop"
    error: str | None = None
    split: str = "train"
    extra: dict = field(default_factory=dict)

    @property
    def text(self) -> str:
        """What the policy wrote, all turns."""
        return "\n".join(m["content"] for m in self.messages if m["role"] == "assistant")

    @property
    def tokens(self) -> int:
        """About how many tokens the policy sampled."""
        calls = sum(len(str(m.get("tool_calls", ""))) for m in self.messages)
        return max(3, int((len(self.text) + calls) / 3.7))


@dataclass(frozen=True)
class Run:
    """Extent of a run, and how the policy's skill moves in it."""

    steps: int
    width: int
    size: int
    start: float = -0.6
    gain: float = 1.8
    first: int = 1
    stride: int = 1


def rise(rng: Random, run: Run) -> Curve:
    """A curve of learning: fast at first, with a little unrest."""
    unrest = [rng.gauss(0, 0.12) for _ in range(run.steps)]
    return lambda n: run.start + run.gain * (1 - math.exp(-2.2 * n / run.steps)) / 0.89 + unrest[n]


def pool(rng: Random, make: Maker, count: int) -> list[Task]:
    """Distinct tasks."""
    found: dict[str, Task] = {}
    index = 0
    while len(found) < count and index < 40 * count:
        task = make(rng, index)
        found.setdefault(task.prompt, task)
        index += 1
    return list(found.values())


def schedule(rng: Random, tasks: list[Task], run: Run) -> list[list[Task]]:
    """The tasks of each step, epoch after epoch."""
    order: list[Task] = []
    while len(order) < run.steps * run.width:
        order += rng.sample(tasks, len(tasks))
    return [order[n * run.width : (n + 1) * run.width] for n in range(run.steps)]


def play(rng: Random, plan: list[list[Task]], run: Run, curve: Curve | None = None) -> list[Attempt]:
    """Every step's groups of attempts."""
    curve = curve or rise(rng, run)
    attempts = []
    for n, tasks in enumerate(plan):
        for task in tasks:
            chance = 1 / (1 + math.exp(task.hard - curve(n)))
            for number in range(run.size):
                a = attempt(rng, task, run.first + n * run.stride, number, chance)
                a.progress = n / max(1, run.steps - 1)
                attempts.append(a)
    return attempts


def attempt(rng: Random, task: Task, step: int, number: int, chance: float) -> Attempt:
    """One attempt that is right with this chance."""
    right = rng.random() < chance
    answer = task.gold if right else task.wrong(rng)
    return Attempt(task, step, number, right, answer, task.work(rng, answer, right), chance)


def train(rng: Random, make: Maker, run: Run, distinct: int = 0) -> list[Attempt]:
    """A run over a pool of tasks, each met once, with a width that differs a little, unless fewer are distinct."""
    if not distinct:
        run = replace(run, width=run.width + rng.choice((-1, 0, 0, 1)))
    return play(rng, schedule(rng, pool(rng, make, distinct or run.steps * run.width), run), run)


def groups(attempts: list[Attempt]) -> list[list[Attempt]]:
    """Attempts at one task in one step."""
    found: dict[tuple[int, str, str], list[Attempt]] = {}
    for a in attempts:
        found.setdefault((a.step, a.split, a.task.key), []).append(a)
    return list(found.values())


def binary(attempts: list[Attempt], low: float = 0.0, name: str = "correct") -> list[Attempt]:
    """One point for right answers."""
    for a in attempts:
        a.correct = float(a.right)
        a.reward = 1.0 if a.right else low
        a.terms = {name: a.reward}
    return attempts


def ragged(rng: Random, attempts: list[Attempt], share: float = 0.012) -> list[Attempt]:
    """A few attempts are cut by the budget, as in any run, and are wrong then."""
    for a in attempts:
        if rng.random() < share and a.messages and len(a.messages[-1]["content"]) > 60:
            text = a.messages[-1]["content"]
            a.messages[-1] = a.messages[-1] | {"content": text[: int(len(text) * rng.uniform(0.4, 0.8))]}
            a.stop, a.right = "length", False
    return attempts
