"""A simulated policy that learns, its problems and its attempts, and the advantages of an estimator."""

import math
import random
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

import numpy as np

from benchmarks.foreign.estimators import Estimator


@dataclass(frozen=True)
class Problem:
    """A task with its gold answer; `level` from 0 (easy) to 1 (hard)."""

    id: str
    text: str
    gold: str
    level: float
    family: str = ""
    data: dict = field(default_factory=dict)


@dataclass
class Attempt:
    """What the policy did at a problem, and what became of it."""

    problem: Problem
    turns: list[dict]
    answer: str
    correct: float
    step: int = 0
    number: int = 0
    seed: int = 0
    reward: float = 0.0
    terms: dict[str, float] = field(default_factory=dict)
    advantage: float | None = None
    in_loss: bool = True
    stop: str = "stop"
    split: str = "train"
    error: str | None = None
    extra: dict = field(default_factory=dict)

    @property
    def group(self) -> str:
        """Id of the attempts at this problem in this step."""
        return f"{self.split}-s{self.step:03d}-{self.problem.id}"

    @property
    def reply(self) -> str:
        """All that the policy wrote."""
        return "\n".join(turn["content"] for turn in self.turns if turn["role"] == "assistant")

    @property
    def tokens(self) -> int:
        """Sampled tokens."""
        calls = [str(call) for turn in self.turns for call in turn.get("tool_calls", ())]
        return count_tokens(self.reply) + sum(count_tokens(call) for call in calls)


Write = Callable[[random.Random, Problem, bool], Attempt]


def count_tokens(text: str) -> int:
    """Words and marks of a text."""
    return len(re.findall(r"\w{1,6}|[^\w\s]", text))


def say(text: str) -> dict:
    """A message of the policy."""
    return {"role": "assistant", "content": text}


def cycle(rng: random.Random, problems: list[Problem]) -> Iterator[Problem]:
    """Problems without end, in a new order each epoch."""
    while True:
        order = list(problems)
        rng.shuffle(order)
        yield from order


def _fresh(order: Iterator[Problem], count: int, waiting: list[Problem]) -> list[Problem]:
    """The next problems, each once; one that would come twice in a step waits for the next."""
    now = {p.id: p for p in waiting}
    waiting.clear()
    while len(now) < count:
        problem = next(order)
        if problem.id in now:
            waiting.append(problem)
        now.setdefault(problem.id, problem)
    return list(now.values())


def chance(problem: Problem, skill: float) -> float:
    """How likely a policy of this skill solves the problem; a fixed quirk of each problem is part of it."""
    quirk = (sum(map(ord, problem.id)) * 37 % 100) / 100 - 0.5
    return 1 / (1 + math.exp(-(skill + 1.1 * quirk - 3.0 * (problem.level - 0.5))))


def roll(
    rng: random.Random,
    problems: list[Problem],
    write: Write,
    steps: int = 12,
    per_step: int = 6,
    size: int = 8,
    skills: tuple[float, float] = (-0.9, 1.2),
    choose: Callable[[int], list[Problem]] | None = None,
) -> list[Attempt]:
    """Attempts of a run whose policy goes from the first skill to the second; rewards are correctness."""
    order, out, waiting = cycle(rng, problems), [], []
    for step in range(1, steps + 1):
        now = list({p.id: p for p in choose(step)}.values()) if choose else _fresh(order, per_step, waiting)
        done = (step - 1) / max(1, steps - 1)
        skill = skills[0] + (skills[1] - skills[0]) * (1 - (1 - done) ** 1.6) + rng.gauss(0, 0.08)
        for problem in now:
            out += group(rng, problem, write, size, skill, step)
    return out


def group(
    rng: random.Random, problem: Problem, write: Write, size: int, skill: float, step: int, split: str = "train"
) -> list[Attempt]:
    """The attempts of one group."""
    out = []
    for number in range(size):
        attempt = write(rng, problem, rng.random() < chance(problem, skill))
        attempt.step, attempt.number, attempt.split = step, number, split
        attempt.seed, attempt.reward = rng.randrange(2**31), attempt.correct
        out.append(attempt)
    return out


def advise(rng: random.Random, attempts: list[Attempt], estimator: Estimator) -> list[Attempt]:
    """Give each attempt the advantage that the estimator makes of the rewards of its step."""
    draws = np.random.default_rng(rng.randrange(2**32))
    for step in sorted({a.step for a in attempts}):
        batch = [a for a in attempts if a.step == step and a.split == "train" and a.error is None]
        if not batch:
            continue
        rewards = np.array([a.reward for a in batch], float)
        names = {name: i for i, name in enumerate(dict.fromkeys(a.group for a in batch))}
        groups = np.array([names[a.group] for a in batch])
        lengths = np.array([max(1, a.tokens) for a in batch], float)
        for attempt, value in zip(batch, estimator(rewards, groups, lengths, draws), strict=True):
            attempt.advantage = round(float(value), 6) + 0.0
    return attempts
