"""A simulated learning policy: problems are drawn step by step, attempts get better as training goes on."""

import hashlib
import math
import random
import re
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Protocol

PIECES = re.compile(r"\w{1,6}|[^\w\s]")


@dataclass
class Problem:
    """A task as it stands in the data."""

    pid: str
    prompt: str
    gold: str
    family: str = ""
    system: str = ""
    difficulty: float = 0.0
    facts: dict = field(default_factory=dict)


@dataclass
class Attempt:
    """One rollout: what the policy did, and what the system made of it."""

    problem: Problem
    step: int
    group: str
    number: int
    right: bool
    messages: list[dict]
    reward: float | None = 0.0
    terms: dict[str, float] = field(default_factory=dict)
    advantage: float | None = None
    in_loss: bool = True
    stop: str = "stop"
    error: str | None = None
    split: str = "train"
    extra: dict = field(default_factory=dict)

    @property
    def text(self) -> str:
        """The last message of the policy."""
        return next((m["content"] for m in reversed(self.messages) if m["role"] == "assistant"), "")

    @text.setter
    def text(self, value: str) -> None:
        last = max(i for i, m in enumerate(self.messages) if m["role"] == "assistant")
        self.messages[last] = {**self.messages[last], "content": value}

    @property
    def tokens(self) -> int:
        """Sampled tokens over all turns."""
        return sum(count(m["content"]) + call_tokens(m) for m in self.messages if m["role"] == "assistant")


class World(Protocol):
    """Tasks of one company, and how a policy goes about them."""

    def problem(self, rng: random.Random, number: int) -> Problem:
        """The task of that number."""
        ...

    def messages(self, rng: random.Random, problem: Problem, right: bool) -> list[dict]:
        """What the policy and its tools say behind the prompt."""
        ...


@dataclass
class Plan:
    """The size of a run, and how fast its policy learns."""

    steps: int = 12
    groups: int = 8
    size: int = 8
    pool: int = 60
    start: float = -0.6
    gain: float = 1.5
    spread: float = 0.9


def count(text: str) -> int:
    """Tokens of a text: a word of six letters and less, or a sign."""
    return len(PIECES.findall(text))


def call_tokens(message: dict) -> int:
    """Tokens of the calls of a message."""
    return sum(count(str(call["arguments"])) + 6 for call in message.get("tool_calls", []))


def hash_of(*parts: object) -> str:
    """A short stable id."""
    return hashlib.sha1("|".join(map(str, parts)).encode()).hexdigest()[:12]


def chance(level: float) -> float:
    """The logistic function."""
    return 1 / (1 + math.exp(-level))


def pool_of(rng: random.Random, world: World, size: int, spread: float = 0.9, first: int = 0) -> list[Problem]:
    """Different problems of a world, with difficulties."""
    problems, seen, number = [], set(), first
    while len(problems) < size and number < first + size * 20:
        problem = world.problem(rng, number)
        number += 1
        if problem.prompt in seen:
            continue
        seen.add(problem.prompt)
        problem.difficulty += rng.gauss(0, spread)
        problems.append(problem)
    return problems


def batches(rng: random.Random, problems: list[Problem], steps: int, groups: int) -> list[list[Problem]]:
    """Problems of each step: the pool shuffled anew each epoch."""
    queue: list[Problem] = []
    drawn = []
    for _ in range(steps):
        while len(queue) < groups:
            queue += rng.sample(problems, len(problems))
        drawn.append(queue[:groups])
        queue = queue[groups:]
    return drawn


def group_of(
    rng: random.Random, world: World, problem: Problem, step: int, size: int, level: float, tag: str = "g"
) -> list[Attempt]:
    """Attempts at one problem by a policy of that level; the reward is the outcome until a grader says otherwise."""
    attempts = []
    for number in range(size):
        right = rng.random() < chance(level - problem.difficulty)
        messages = world.messages(rng, problem, right)
        attempt = Attempt(problem, step, f"{tag}{step}-{problem.pid}", number, right, messages, float(right))
        attempts.append(attempt)
    return attempts


def play(
    rng: random.Random,
    world: World,
    plan: Plan,
    problems: list[Problem] | None = None,
    level: Callable[[int], float] | None = None,
) -> list[Attempt]:
    """A run: all attempts of all steps."""
    problems = problems or pool_of(rng, world, plan.pool, plan.spread)
    skill = level or (lambda step: plan.start + plan.gain * step / max(1, plan.steps - 1))
    attempts = []
    for step, batch in enumerate(batches(rng, problems, plan.steps, plan.groups)):
        for place, problem in enumerate(batch):
            attempts += group_of(rng, world, problem, step, plan.size, skill(step), f"b{place}-")
    return attempts


def ramp(step: int, steps: int, low: float, high: float) -> float:
    """A share that rises along the run in an S."""
    return low + (high - low) * chance(8 * (step / max(1, steps - 1) - 0.5))
