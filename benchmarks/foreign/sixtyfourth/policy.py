"""A policy that learns: problems, the attempts at them, and the schedule by which steps draw problems."""

import math
import random
import re
from collections.abc import Callable
from dataclasses import dataclass, field

Message = dict[str, object]


@dataclass
class Problem:
    """One task: its prompt, its gold answer, and how an attempt at it is written."""

    pid: str
    prompt: str
    gold: str
    write: Callable[[random.Random, bool], tuple[list[Message], str]]
    """Whether the attempt is right -> the messages after the prompt, and the final answer."""
    family: str = ""
    hard: float = 0.0
    facts: dict[str, object] = field(default_factory=dict)


@dataclass
class Attempt:
    """One attempt, before a layout writes it down."""

    problem: Problem
    step: int
    group: str
    index: int
    messages: list[Message]
    answer: str
    right: bool
    reward: float
    seed: int
    advantage: float | None = None
    stop: str = "stop"
    terms: dict[str, float] = field(default_factory=dict)
    extra: dict[str, object] = field(default_factory=dict)

    @property
    def text(self) -> str:
        """What the policy wrote last."""
        return str(self.messages[-1]["content"])

    @text.setter
    def text(self, value: str) -> None:
        self.messages[-1] = {**self.messages[-1], "content": value}

    @property
    def tokens(self) -> int:
        """Sampled tokens over all turns."""
        return sum(
            count(str(m["content"])) + count(str(m.get("tool_calls", "")))
            for m in self.messages
            if m["role"] == "assistant"
        )


def count(text: str) -> int:
    """Tokens of a text: its words and signs."""
    return len(re.findall(r"\w{1,7}|[^\w\s]", text))


def chance(ability: float, hard: float) -> float:
    """Of a right attempt."""
    return 1 / (1 + math.exp(hard - ability))


def said(text: str) -> Message:
    """An assistant's message."""
    return {"role": "assistant", "content": text}


def called(text: str, name: str, **arguments: object) -> Message:
    """An assistant's message that calls a tool."""
    return {"role": "assistant", "content": text, "tool_calls": [{"name": name, "arguments": arguments}]}


def told(name: str, text: str, ok: bool = True) -> Message:
    """A tool's answer."""
    return {"role": "tool", "tool_name": name, "content": text, "ok": ok}


def attempt(rng: random.Random, problem: Problem, step: int, group: str, index: int, right: bool) -> Attempt:
    """Write one attempt, paid by whether it is right."""
    messages, answer = problem.write(rng, right)
    return Attempt(problem, step, group, index, messages, answer, right, float(right), rng.randrange(2**31), extra={})


def campaign(
    rng: random.Random, problems: list[Problem], steps: int, n: int, start: float = -0.5, gain: float = 1.6
) -> list[Attempt]:
    """A run in which every problem comes once: `n` attempts at each, the ability growing from `start` by `gain`."""
    per_step = len(problems) // steps
    attempts: list[Attempt] = []
    for step in range(steps):
        ability = start + gain * step / max(1, steps - 1)
        for problem in problems[step * per_step : (step + 1) * per_step]:
            attempts += group_of(rng, problem, step, n, ability)
    return attempts


def group_of(rng: random.Random, problem: Problem, step: int, n: int, ability: float) -> list[Attempt]:
    """The attempts at one problem in one step."""
    odds = chance(ability + rng.gauss(0, 0.25), problem.hard)
    name = f"s{step}-{problem.pid}"
    return [attempt(rng, problem, step, name, index, rng.random() < odds) for index in range(n)]
