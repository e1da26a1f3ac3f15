"""A simulated policy that learns: problems in, graded attempts with their advantages out."""

import math
import random
from collections.abc import Callable
from dataclasses import dataclass, field

import numpy as np

from benchmarks.foreign.estimators import Estimator, grpo

Message = dict
Write = Callable[[random.Random, bool, float], list[Message]]


@dataclass
class Problem:
    """A task, its reference, how hard it is, and how the policy would answer it, rightly or not."""

    name: str
    prompt: str
    gold: str
    hard: float
    write: Write
    system: str = ""


World = Callable[[random.Random, int], Problem]


@dataclass
class Attempt:
    """One attempt with what its grader and trainer made of it."""

    step: int
    problem: Problem
    group: str
    number: int
    right: bool
    messages: list[Message]
    progress: float = 0.0
    reward: float | None = None
    terms: dict[str, float] = field(default_factory=dict)
    stop: str = "stop"
    advantage: float | None = None
    in_loss: bool | None = None
    error: str | None = None
    split: str = "train"
    extra: dict = field(default_factory=dict)

    @property
    def text(self) -> str:
        """All that the policy wrote, beside its calls."""
        return "\n".join(m["content"] for m in self.messages if m["role"] == "assistant")

    @property
    def tokens(self) -> int:
        """Sampled tokens, calls included."""
        calls = [str(c["arguments"]) + c["name"] for m in self.messages for c in m.get("tool_calls", [])]
        return max(1, count_tokens(self.text) + sum(count_tokens(call) for call in calls))


def count_tokens(text: str) -> int:
    """About as many as a byte-pair vocabulary makes of a text."""
    wide = sum(ord(c) > 0x2E7F for c in text)
    return math.ceil((len(text) - wide) / 4.1 + wide * 0.75)


def says(text: str) -> list[Message]:
    """One message of the policy."""
    return [{"role": "assistant", "content": text}]


def calls(thought: str, tool: str, answer: str, ok: bool = True, **arguments: object) -> list[Message]:
    """A call of the policy with what the tool answered."""
    return [
        {"role": "assistant", "content": thought, "tool_calls": [{"name": tool, "arguments": arguments}]},
        {"role": "tool", "content": answer, "tool_name": tool, "ok": ok},
    ]


def chance(skill: float, hard: float) -> float:
    """Of a right attempt."""
    return 1 / (1 + math.exp(hard - skill))


def try_once(rng: random.Random, problem: Problem, skill: float, t: float) -> tuple[bool, list[Message]]:
    """Whether an attempt is right, and its messages."""
    right = rng.random() < chance(skill, problem.hard)
    return right, problem.write(rng, right, t)


def train(
    rng: random.Random,
    world: World,
    steps: int = 20,
    problems: int = 4,
    group: int = 8,
    skill: tuple[float, float] = (-0.9, 1.6),
    pool: int = 0,
) -> list[Attempt]:
    """Attempts of a run in which skill grows from the first value to the second."""
    known = [world(rng, i) for i in range(pool)]
    out: list[Attempt] = []
    seen: set[str] = set()
    for step in range(steps):
        t = step / max(1, steps - 1)
        now = skill[0] + (skill[1] - skill[0]) * t + rng.gauss(0, 0.12)
        if pool:
            drawn = rng.sample(known, problems)
        else:
            drawn = [fresh(rng, world, step * problems + k, seen) for k in range(problems)]
        for k, problem in enumerate(drawn):
            for number in range(group):
                right, messages = try_once(rng, problem, now, t)
                out.append(Attempt(step, problem, f"s{step}-g{k}", number, right, messages, t))
    return out


def fresh(rng: random.Random, world: World, i: int, seen: set[str]) -> Problem:
    """A problem whose prompt was not drawn before."""
    problem = world(rng, i)
    for _ in range(60):
        if problem.prompt not in seen:
            break
        problem = world(rng, i)
    seen.add(problem.prompt)
    return problem


def pay(attempts: list[Attempt], **terms: Callable[[Attempt], float]) -> list[Attempt]:
    """Grade attempts by the sum of terms; without terms by whether they are right."""
    for a in attempts:
        a.terms = {name: round(float(term(a)), 4) for name, term in (terms or {"accuracy": by_right}).items()}
        a.reward = round(sum(a.terms.values()), 4)
    return attempts


def by_right(attempt: Attempt) -> float:
    """One for a right attempt."""
    return float(attempt.right)


def advance(rng: random.Random, attempts: list[Attempt], estimator: Estimator = grpo) -> list[Attempt]:
    """Give every graded attempt the advantage of its step's estimator."""
    draws = np.random.default_rng(rng.getrandbits(32))
    steps: dict[tuple, list[Attempt]] = {}
    for a in attempts:
        if a.reward is not None:
            steps.setdefault((a.step, a.extra.get("run", "")), []).append(a)
    for rows in steps.values():
        rewards = np.array([a.reward for a in rows], dtype=float)
        names = {name: i for i, name in enumerate(dict.fromkeys(a.group for a in rows))}
        groups = np.array([names[a.group] for a in rows])
        lengths = np.array([a.tokens for a in rows], dtype=float)
        for a, value in zip(rows, estimator(rewards, groups, lengths, draws), strict=True):
            a.advantage, a.in_loss = float(value), True
    return attempts
