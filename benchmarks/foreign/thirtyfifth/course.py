"""A learning policy: which problems a run draws at which step, and how likely it is to solve each by then."""

import math
import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

Message = dict[str, Any]
Solve = Callable[[random.Random, bool, int], tuple[str, str]]


@dataclass
class Task:
    """One problem, and how the policy writes about it."""

    pid: str
    prompt: str
    gold: str
    solve: Solve
    """Draws reasoning and answer, for a right or a wrong attempt with so many sentences of checking."""
    family: str = ""
    hard: float = 0.0
    system: str = ""
    more: dict[str, Any] = field(default_factory=dict)


@dataclass
class Try:
    """One attempt."""

    task: Task
    step: int
    group: str
    attempt: int
    is_right: bool
    chance: float
    text: str = ""
    answer: str = ""
    turns: list[Message] = field(default_factory=list)
    """What follows the prompt; empty: the text alone."""
    reward: float | None = 0.0
    terms: dict[str, float] = field(default_factory=dict)
    advantage: float | None = None
    in_loss: bool = True
    stop: str = "stop"
    error: str | None = None
    split: str = "train"
    seed: int = 0
    policy: str = ""
    more: dict[str, Any] = field(default_factory=dict)

    def messages(self) -> list[Message]:
        """What follows the prompt."""
        return self.turns or [{"role": "assistant", "content": self.text}]

    def written(self) -> str:
        """What the policy wrote, calls included."""
        own = [m for m in self.messages() if m["role"] == "assistant"]
        return "\n".join(m["content"] + "".join(str(c) for c in m.get("tool_calls", ())) for m in own)

    def tokens(self) -> int:
        """Sampled tokens."""
        return count(self.written())


def count(text: str) -> int:
    """Tokens of a text, about four signs each."""
    return max(1, math.ceil(len(text) / 4.1))


def skill(place: float, first: float, last: float) -> float:
    """What the policy can after that share of the run: fast at first, then slower."""
    return first + (last - first) * (1 - math.exp(-2.6 * place)) / (1 - math.exp(-2.6))


def chance(task: Task, able: float) -> float:
    """How likely a policy with that skill is to solve a task."""
    return 1 / (1 + math.exp(task.hard - able))


def make_pool(rng: random.Random, makers: Sequence[Callable[[random.Random, int], Task]], size: int) -> list[Task]:
    """Draw so many different problems, of all makers in turn."""
    pool: list[Task] = []
    asked: set[str] = set()
    number = 0
    while len(pool) < size and number < 40 * size:
        task = makers[number % len(makers)](rng, number)
        number += 1
        if task.prompt not in asked:
            asked.add(task.prompt)
            pool.append(task)
    return pool


def roll(
    rng: random.Random,
    pool: Sequence[Task],
    steps: int,
    groups: int,
    size: int,
    able: tuple[float, float] = (-0.9, 1.2),
    effort: Callable[[float], int] = lambda place: 1,
) -> list[Try]:
    """Draw a run: every step so many problems, of each so many attempts, in shuffled passes over the pool."""
    tries: list[Try] = []
    order: list[Task] = []
    for step in range(steps):
        place = step / max(1, steps - 1)
        for number in range(groups):
            if not order:
                order = rng.sample(list(pool), len(pool))
            task = order.pop()
            tries += attempts(rng, task, step, f"s{step:03d}g{number}", size, skill(place, *able), effort(place))
    return tries


def attempts(
    rng: random.Random, task: Task, step: int, group: str, size: int, able: float, effort: int = 1
) -> list[Try]:
    """The attempts at one problem in one step."""
    likely = chance(task, able)
    out = []
    for attempt in range(size):
        one = Try(task, step, group, attempt, rng.random() < likely, likely, seed=rng.randrange(2**31))
        one.text, one.answer = task.solve(rng, one.is_right, effort)
        out.append(one)
    return out


def by_group(tries: Sequence[Try]) -> list[list[Try]]:
    """The attempts of each group, in order."""
    groups: dict[str, list[Try]] = {}
    for one in tries:
        groups.setdefault(one.group, []).append(one)
    return list(groups.values())


def by_step(tries: Sequence[Try]) -> list[list[Try]]:
    """The attempts of each step, in order."""
    steps: dict[int, list[Try]] = {}
    for one in tries:
        steps.setdefault(one.step, []).append(one)
    return list(steps.values())


def pay(tries: Sequence[Try], right: float = 1.0, wrong: float = 0.0) -> None:
    """Reward outcomes alone."""
    for one in tries:
        one.reward = right if one.is_right else wrong
