"""A simulated policy that learns, and what is counted of its texts."""

import math
import random
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from benchmarks.foreign.estimators import Estimator

PIECES = re.compile(r"\w{1,5}|[^\w\s]")


def count_tokens(text: str) -> int:
    """Pieces of at most five letters, and signs."""
    return len(PIECES.findall(text))


@dataclass
class Attempt:
    """One attempt, before a system writes it down."""

    step: int
    problem: str
    number: int
    prompt: list[dict]
    reply: list[dict]
    reward: float | None
    correct: float | None = None
    gold: str = ""
    answer: str = ""
    terms: dict[str, float] = field(default_factory=dict)
    stop: str = "stop"
    split: str = "train"
    advantage: float | None = None
    in_loss: bool | None = None
    error: str | None = None
    extra: dict[str, Any] = field(default_factory=dict)

    @property
    def text(self) -> str:
        """The policy's words, turn after turn."""
        return "\n".join(m["content"] for m in self.reply if m["role"] == "assistant")

    @property
    def tokens(self) -> int:
        """Sampled tokens, arguments of calls with them."""
        calls = [str(c["arguments"]) for m in self.reply for c in m.get("tool_calls", ())]
        return count_tokens(self.text) + sum(map(count_tokens, calls))


@dataclass(frozen=True)
class Learner:
    """Chances of success that rise over the steps of a run."""

    steps: int
    start: float
    end: float

    def at(self, step: int) -> float:
        """Mean chance at a step: fast at first, then slower."""
        way = (1 - math.exp(-2.5 * step / max(1, self.steps - 1))) / (1 - math.exp(-2.5))
        return self.start + (self.end - self.start) * way

    def of(self, step: int, hardness: float) -> float:
        """Chance at a problem of that hardness, in logits."""
        mean = min(0.98, max(0.02, self.at(step)))
        return 1 / (1 + math.exp(-(math.log(mean / (1 - mean)) - hardness)))


def user(text: str, system: str = "") -> list[dict]:
    """A prompt of one question."""
    head = [{"role": "system", "content": system}] if system else []
    return [*head, {"role": "user", "content": text}]


def said(text: str) -> list[dict]:
    """A reply of one message."""
    return [{"role": "assistant", "content": text}]


def call(words: str, tool: str, answer: str, ok: bool = True, /, **arguments: Any) -> list[dict]:
    """A message with a call, and the tool's answer."""
    return [
        {"role": "assistant", "content": words, "tool_calls": [{"name": tool, "arguments": arguments}]},
        {"role": "tool", "content": answer, "tool_name": tool, "ok": ok},
    ]


def fresh(rng: random.Random, make: Callable[[random.Random], Any], count: int) -> list[Any]:
    """So many problems of which no two have the same text."""
    seen: dict[str, Any] = {}
    for _ in range(count * 60):
        problem = make(rng)
        seen.setdefault(problem.text, problem)
        if len(seen) == count:
            break
    return list(seen.values())


def schedule(pool: list[Any], steps: int, per_step: int) -> Iterator[tuple[int, int, Any]]:
    """Step, number of the problem and problem, in order; a pool that ends begins again."""
    for place in range(steps * per_step):
        number = place % len(pool)
        yield place // per_step, number, pool[number]


def run(
    rng: random.Random,
    pool: list[Any],
    shape: tuple[int, int, int],
    attempt: Callable[[int, str, Any, int, float], Attempt],
) -> list[Attempt]:
    """Attempts of a run of steps, problems a step and attempts a problem; each problem has a hardness in logits."""
    steps, per_step, size = shape
    out = []
    for step, number, problem in schedule(pool, steps, per_step):
        hardness = rng.gauss(0, 1)
        out += [attempt(step, str(number), problem, i, hardness) for i in range(size)]
    return out


def cut(text: str, limit: int) -> str:
    """The text's first so many tokens."""
    ends = [m.end() for m in PIECES.finditer(text)]
    return text if len(ends) <= limit else text[: ends[limit - 1]]


def rising(step: int, steps: int, low: float, high: float, bend: float = 0.5) -> float:
    """A share that a habit takes, from low to high with its middle at a part of the run."""
    return low + (high - low) / (1 + math.exp(-12 * (step / max(1, steps - 1) - bend)))


def fill(attempts: list[Attempt], estimator: Estimator) -> None:
    """Write the advantages of the estimator, step by step; errors and rows out of the loss have none."""
    by_step: dict[int, list[Attempt]] = {}
    for attempt in attempts:
        if attempt.split == "train" and attempt.error is None and attempt.in_loss is not False:
            by_step.setdefault(attempt.step, []).append(attempt)
    for members in by_step.values():
        rewards = np.array([m.reward for m in members], float)
        groups = np.array([m.problem for m in members])
        lengths = np.array([m.tokens for m in members], float)
        values = estimator(rewards, groups, lengths, np.random.default_rng(0))
        for member, value in zip(members, values, strict=True):
            member.advantage = round(float(value), 5)
            member.in_loss = True
