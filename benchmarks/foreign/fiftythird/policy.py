"""A simulated policy: how likely it is right at a step, and the attempts that it makes in a run."""

import math
import random
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field


@dataclass(frozen=True)
class Task:
    """One problem: its text, its true answer, and a function that writes an attempt at it."""

    pid: str
    family: str
    prompt: str
    gold: str
    write: Callable[[random.Random, bool], tuple[str, str]]
    """Takes whether the attempt is right; gives its text and its answer."""
    level: float = 0.0
    facts: dict = field(default_factory=dict)


@dataclass
class Draw:
    """One attempt, before a system writes it down."""

    step: int
    task: Task
    group: str
    attempt: int
    right: bool
    text: str
    answer: str
    reward: float = 0.0
    advantage: float | None = None
    turns: list[dict] = field(default_factory=list)
    extra: dict = field(default_factory=dict)

    @property
    def tokens(self) -> int:
        """Sampled tokens, about four for three words."""
        own = "".join(turn["content"] for turn in self.turns if turn["role"] == "assistant") or self.text
        calls = sum(len(str(turn["tool_calls"])) for turn in self.turns if turn.get("tool_calls"))
        return max(1, round((len(own) + calls) / 4.2))


@dataclass(frozen=True)
class Run:
    """Length and size of a run, and how the policy learns in it."""

    steps: int = 14
    groups: int = 5
    size: int = 8
    start: float = -0.6
    gain: float = 1.7


def chance(run: Run, step: int, level: float) -> float:
    """How likely the policy is right at a step, on a task of a level (0: usual; higher: harder)."""
    return 1 / (1 + math.exp(-(run.start + run.gain * step / run.steps - level)))


def attempts(rng: random.Random, task: Task, step: int, run: Run, tag: str = "") -> list[Draw]:
    """One group: independent attempts at one task, rewarded by being right."""
    draws = []
    for number in range(run.size):
        right = rng.random() < chance(run, step, task.level)
        text, answer = task.write(rng, right)
        draws.append(Draw(step, task, f"{tag}s{step}-{task.pid}", number, right, text, answer, float(right)))
    return draws


def play(rng: random.Random, make: Callable[[random.Random, int], Task], run: Run) -> list[Draw]:
    """A whole run on fresh tasks: `make` draws the task of a number."""
    draws: list[Draw] = []
    for step in range(run.steps):
        for place in range(run.groups):
            draws += attempts(rng, make(rng, step * run.groups + place), step, run)
    return draws


def by_group(draws: Iterable[Draw]) -> list[list[Draw]]:
    """Attempts of each group, in the order in which groups begin."""
    found: dict[str, list[Draw]] = {}
    for draw in draws:
        found.setdefault(draw.group, []).append(draw)
    return list(found.values())
