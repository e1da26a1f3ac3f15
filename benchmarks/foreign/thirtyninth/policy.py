"""A policy that learns: problems, attempts at them, and the advantages that a trainer gives."""

import math
import random
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

import numpy as np

from benchmarks.foreign.estimators import Estimator


@dataclass
class Problem:
    """One problem, and how an attempt at it reads: right or wrong."""

    pid: str
    family: str
    prompt: str
    gold: str
    hardness: float
    solve: Callable[[random.Random, bool], str] = lambda rng, right: ""
    parts: dict = field(default_factory=dict)


@dataclass
class Try:
    """One attempt: its place in the run, what was written, and what it was paid."""

    step: int
    group: int
    attempt: int
    problem: Problem
    right: bool
    text: str = ""
    turns: list[dict] = field(default_factory=list)
    reward: float | None = 0.0
    terms: dict = field(default_factory=dict)
    correct: float | None = None
    advantage: float | None = None
    stop: str = "stop"
    split: str = "train"
    columns: dict = field(default_factory=dict)

    @property
    def answer_turns(self) -> list[dict]:
        """The messages behind the prompt."""
        return self.turns or [{"role": "assistant", "content": self.text}]

    @property
    def written(self) -> str:
        """All that the policy wrote."""
        return "\n".join(
            turn["content"] + "".join(str(call["arguments"]) for call in turn.get("tool_calls", ()))
            for turn in self.answer_turns
            if turn["role"] == "assistant"
        )

    @property
    def tokens(self) -> int:
        """Sampled tokens of the attempt."""
        return count(self.written)


def count(text: str) -> int:
    """Tokens of a text: words and signs, long words in pieces of six letters."""
    return sum(1 + (len(piece) - 1) // 6 for piece in re.findall(r"\w+|[^\w\s]", text)) + 1


def chance(level: float, problem: Problem) -> float:
    """How likely a policy of this level is right."""
    return 1 / (1 + math.exp(problem.hardness - level))


def level_at(step: int, steps: int, start: float, end: float) -> float:
    """Level of the policy at a step: fast at first, then slower."""
    share = step / max(1, steps - 1)
    return start + (end - start) * (1 - math.exp(-2.2 * share)) / (1 - math.exp(-2.2))


def roll(
    rng: random.Random,
    problems: Sequence[Problem],
    steps: int,
    groups: int,
    size: int,
    start: float = -0.6,
    end: float = 1.1,
) -> list[Try]:
    """Attempts of a whole run; problems are drawn epoch by epoch, each once a step."""
    tries, queue = [], []
    for step in range(steps):
        if len(queue) < groups:
            queue = rng.sample(list(problems), len(problems))
        chosen, queue = queue[:groups], queue[groups:]
        level = level_at(step, steps, start, end) + rng.gauss(0, 0.08)
        for slot, problem in enumerate(chosen):
            right = chance(level, problem)
            tries += [Try(step, step * groups + slot, k, problem, rng.random() < right) for k in range(size)]
    return tries


def write(rng: random.Random, tries: Sequence[Try]) -> None:
    """Write the text of every attempt; a sound grader pays 1 for right ones."""
    for one in tries:
        one.text = one.problem.solve(rng, one.right)
        one.correct = float(one.right)
        one.reward = float(one.right)


def settle(rng: random.Random, tries: Sequence[Try], estimator: Estimator) -> None:
    """Give every attempt with a reward the advantage that the estimator says, step by step."""
    draws = np.random.default_rng(rng.getrandbits(60))
    steps: dict[int, list[Try]] = {}
    for one in tries:
        if one.reward is not None and one.split == "train":
            steps.setdefault(one.step, []).append(one)
    for members in steps.values():
        values = estimator(
            np.array([one.reward for one in members], float),
            np.array([one.group for one in members]),
            np.array([one.tokens for one in members], float),
            draws,
        )
        for one, value in zip(members, values, strict=True):
            one.advantage = round(float(value), 6)


def by_group(tries: Sequence[Try]) -> list[list[Try]]:
    """The attempts, group by group."""
    groups: dict[int, list[Try]] = {}
    for one in tries:
        groups.setdefault(one.group, []).append(one)
    return list(groups.values())


def call(said: str, name: str, **arguments: object) -> dict:
    """A turn of the policy that calls a tool."""
    return {"role": "assistant", "content": said, "tool_calls": [{"name": name, "arguments": arguments}]}


def tool(name: str, content: str, ok: bool = True) -> dict:
    """What a tool answered."""
    return {"role": "tool", "tool_name": name, "content": content, "ok": ok}


def say(content: str) -> dict:
    """A turn of the policy without a call."""
    return {"role": "assistant", "content": content}
