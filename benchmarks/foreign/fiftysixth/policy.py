"""A simulated policy that learns: problems, attempts, and the odds that an attempt is right."""

import math
import random
from collections.abc import Callable
from dataclasses import dataclass, field

import numpy as np

from benchmarks.foreign.estimators import Estimator


@dataclass
class Problem:
    """A problem with its gold answer; `write` gives the text of an attempt that is right or wrong."""

    id: str
    prompt: str
    gold: str
    family: str
    difficulty: float
    write: Callable[[random.Random, bool], str] = lambda rng, right: ""
    system: str = ""


@dataclass
class Attempt:
    """One attempt of a group at a problem, before a layout writes it down."""

    problem: Problem
    step: int
    group: int
    index: int
    right: bool
    messages: list[dict] = field(default_factory=list)
    reward: float = 0.0
    terms: dict = field(default_factory=dict)
    advantage: float | None = None
    stop: str = "stop"
    tokens: int = 0
    extra: dict = field(default_factory=dict)

    @property
    def text(self) -> str:
        """The last message."""
        return self.messages[-1]["content"]

    def say(self, text: str) -> "Attempt":
        """Make this the only message of the policy."""
        self.messages = [{"role": "assistant", "content": text}]
        self.tokens = count(text)
        return self


def count(text: str) -> int:
    """Tokens of a text, about four signs each."""
    return max(1, round(len(text) / 4.1))


def odds(start: float, gain: float, step: int, problem: Problem) -> float:
    """How likely an attempt at the problem is right at a step."""
    return 1 / (1 + math.exp(problem.difficulty - start - gain * step))


def run(
    rng: random.Random,
    batches: list[list[Problem]],
    size: int,
    start: float = -0.3,
    gain: float = 0.08,
    speak: bool = True,
) -> list[Attempt]:
    """Attempts of all steps: a group of `size` for each problem of a step's batch; reward 1 where right."""
    out, group = [], 0
    for step, batch in enumerate(batches):
        for problem in batch:
            for index in range(size):
                right = rng.random() < odds(start, gain, step, problem)
                attempt = Attempt(problem, step, group, index, right, reward=float(right))
                if speak:
                    attempt.say(problem.write(rng, right))
                out.append(attempt)
            group += 1
    return out


def batches(problems: list[Problem], steps: int) -> list[list[Problem]]:
    """The problems dealt to steps in order, each once."""
    each = len(problems) // steps
    return [problems[step * each : (step + 1) * each] for step in range(steps)]


def advise(attempts: list[Attempt], estimator: Estimator, seed: int = 0) -> list[Attempt]:
    """Give each attempt the advantage that the estimator has for the rewards of its step."""
    by_step: dict[int, list[Attempt]] = {}
    for attempt in attempts:
        by_step.setdefault(attempt.step, []).append(attempt)
    draws = np.random.default_rng(seed)
    for members in by_step.values():
        rewards = np.array([a.reward for a in members], dtype=float)
        groups = np.array([a.group for a in members])
        lengths = np.array([max(1, a.tokens) for a in members], dtype=float)
        for attempt, value in zip(members, estimator(rewards, groups, lengths, draws), strict=True):
            attempt.advantage = round(float(value), 6)
    return attempts
