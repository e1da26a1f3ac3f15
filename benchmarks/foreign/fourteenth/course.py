"""A training run: tasks are drawn step by step, and a policy that learns attempts each of them several times."""

import math
from collections.abc import Callable
from dataclasses import dataclass, field
from random import Random
from typing import Any, NamedTuple


@dataclass
class Task:
    """One problem, with lines of work that lead to its answer."""

    prompt: str
    gold: str
    family: str
    level: float = 0.0
    lines: list[str] = field(default_factory=list)
    system: str = ""
    ident: str = ""
    facts: dict = field(default_factory=dict)


@dataclass
class Reply:
    """What followed the prompt: messages of the policy and of tools."""

    turns: list[dict]
    answer: str
    facts: dict = field(default_factory=dict)


@dataclass
class Episode:
    """One attempt at one task."""

    task: Task
    step: int
    group: int
    attempt: int
    right: bool
    reply: Reply
    progress: float = 0.0
    reward: Any = 0.0
    terms: dict[str, float] = field(default_factory=dict)
    advantage: float | None = None
    in_loss: bool | None = None
    split: str = "train"
    stop: str = "stop"
    error: str | None = None
    columns: dict = field(default_factory=dict)

    @property
    def text(self) -> str:
        """All that the policy wrote."""
        return "\n".join(t["content"] for t in self.reply.turns if t["role"] == "assistant")

    @property
    def tokens(self) -> int:
        """About how many tokens the policy sampled."""
        calls = sum(len(str(t.get("tool_calls", ""))) for t in self.reply.turns)
        return max(1, round((len(self.text) + calls) / 3.6))

    def say(self, text: str) -> None:
        """Put another text in place of the last message."""
        self.reply.turns[-1]["content"] = text


class Domain(NamedTuple):
    """How tasks are made and attempted."""

    make: Callable[[Random], Task]
    solve: Callable[[Random, Task, bool, float], Reply]


class Shape(NamedTuple):
    """Steps, groups a step, attempts a group."""

    steps: int
    groups: int
    size: int


def sigmoid(x: float) -> float:
    """Logistic function."""
    return 1 / (1 + math.exp(-x))


def distinct(rng: Random, domain: Domain, count: int, prefix: str) -> list[Task]:
    """Draw tasks of different prompts."""
    found: dict[str, Task] = {}
    for _ in range(count * 40):
        task = domain.make(rng)
        task.level += rng.gauss(0, 0.6)
        found.setdefault(task.prompt, task)
        if len(found) == count:
            break
    base = rng.randrange(100, 9000)
    for number, task in enumerate(found.values()):
        task.ident = task.ident or f"{prefix}{base + number * 3 + number % 2}"
    return list(found.values())


def climb(start: float, gain: float) -> Callable[[int, int], float]:
    """Skill that grows by `gain` log-odds over the run, faster at first."""
    return lambda step, steps: start + gain * (step / max(1, steps - 1)) ** 0.8


Skill = Callable[[int, int], float]


def attempt(rng: Random, domain: Domain, task: Task, place: tuple[int, int, int], skill: float, t: float) -> Episode:
    """Attempt a task once; one in ninety single-turn attempts runs out of its budget."""
    step, group, number = place
    right = rng.random() < sigmoid(skill - task.level)
    reply = domain.solve(rng, task, right, t)
    e = Episode(task, step, group, number, right, reply, progress=t)
    if len(reply.turns) == 1 and rng.random() < 0.011 and len(e.text) > 160:
        e.say(e.text[: int(len(e.text) * rng.uniform(0.4, 0.75))])
        e.right, e.stop, reply.answer = False, "length", ""
    e.reward = float(e.right)
    return e


def run(rng: Random, domain: Domain, shape: Shape, skill: Skill, tasks: list[Task] | None = None) -> list[Episode]:
    """Train over tasks in order, again from the start where they end; a step now and then holds a group less or
    more.
    """
    widths = [shape.groups + rng.choice([0, 0, 0, 0, 1, -1]) for _ in range(shape.steps)]
    tasks = tasks or distinct(rng, domain, sum(widths), "p")
    episodes, place = [], 0
    for step, width in enumerate(widths):
        t = step / max(1, shape.steps - 1)
        for group in range(width):
            task = tasks[place % len(tasks)]
            place += 1
            for number in range(shape.size):
                e = attempt(rng, domain, task, (step, group, number), skill(step, shape.steps), t)
                episodes.append(e)
    return episodes


def held(rng: Random, domain: Domain, tasks: list[Task], steps: list[int], skill: Skill, total: int) -> list[Episode]:
    """Evaluate held tasks once each at some steps."""
    episodes = []
    for step in steps:
        for group, task in enumerate(tasks):
            t = step / max(1, total - 1)
            e = attempt(rng, domain, task, (step, 500 + group, 0), skill(step, total), t)
            e.split = "validation"
            episodes.append(e)
    return episodes


def groups_of(episodes: list[Episode]) -> list[list[Episode]]:
    """Attempts by step and group."""
    found: dict[tuple[int, int], list[Episode]] = {}
    for e in episodes:
        found.setdefault((e.step, e.group), []).append(e)
    return list(found.values())
