"""Problems, attempts at them, and a policy that learns: what each system then writes down in its own way."""

import random
import re
from collections.abc import Callable
from dataclasses import dataclass, field

import numpy as np

from benchmarks.foreign.estimators import Estimator

Message = dict
"""A turn, in OpenAI's form."""


@dataclass
class Problem:
    """One problem: what is asked, what is right, and how easy it is (added to the chance of success)."""

    id: str
    prompt: str
    gold: str
    family: str = "general"
    ease: float = 0.0
    data: dict = field(default_factory=dict)


@dataclass
class Attempt:
    """One attempt at a problem, graded."""

    messages: list[Message]
    reward: float | None
    correct: float | None
    terms: dict[str, float] = field(default_factory=dict)
    extra: dict = field(default_factory=dict)
    stop: str = "stop"
    error: str | None = None
    in_loss: bool = True
    split: str = "train"
    advantage: float | None = None
    step: int = 0
    number: int = 0
    group: str = ""
    problem: Problem = field(default_factory=lambda: Problem("", "", ""))

    @property
    def tokens(self) -> int:
        """Sampled tokens: those of the policy's turns."""
        return sum(count(said(message)) for message in self.messages if message["role"] == "assistant")


Solve = Callable[[random.Random, Problem, int], Attempt]
"""A policy: its attempt at a problem at a step."""


def count(text: str) -> int:
    """Tokens of a text, roughly as a byte-pair vocabulary cuts it."""
    return max(1, sum(1 + len(piece) // 6 for piece in re.findall(r"\w+|[^\w\s]", text)))


def said(message: Message) -> str:
    """All that a turn holds: its words and its calls."""
    calls = [f"{call['name']} {call['arguments']}" for call in message.get("tool_calls") or []]
    return " ".join([message.get("content") or "", *calls])


def user(text: str) -> Message:
    """A turn of the user."""
    return {"role": "user", "content": text}


def reply(text: str) -> Message:
    """A turn of the policy, in words."""
    return {"role": "assistant", "content": text}


def call(text: str, tool: str, **arguments: object) -> Message:
    """A turn of the policy that calls a tool."""
    return {"role": "assistant", "content": text, "tool_calls": [{"name": tool, "arguments": arguments}]}


def told(tool: str, text: str, ok: bool = True) -> Message:
    """What a tool answers."""
    return {"role": "tool", "tool_name": tool, "content": text, "ok": ok}


def distinct(
    rng: random.Random, draw: Callable[[random.Random, int], Problem], number: int, first: int = 0
) -> list[Problem]:
    """So many problems, of which no two ask the same, nor of the same thing by name."""
    drawn: dict[str, Problem] = {}
    while len(drawn) < number:
        problem = draw(rng, first + len(drawn))
        drawn.setdefault(
            problem.data.get("name", problem.prompt) if "passage" in problem.data else problem.prompt, problem
        )
    return list(drawn.values())


def chance(problem: Problem, step: int, steps: int, low: float = 0.3, gain: float = 0.35) -> float:
    """Chance that a policy which learns solves the problem."""
    return min(0.97, max(0.02, low + problem.ease + gain * step / max(1, steps - 1)))


def deal(rng: random.Random, problems: list[Problem], steps: int, a_step: int) -> list[list[Problem]]:
    """The problems of each step, from a deck that is shuffled anew when it is dealt out."""
    deck: list[Problem] = []
    dealt = []
    for _ in range(steps):
        if len(deck) < a_step:
            deck = rng.sample(problems, len(problems))
        dealt.append(deck[:a_step])
        deck = deck[a_step:]
    return dealt


def attempt_group(
    rng: random.Random, problem: Problem, step: int, size: int, solve: Solve, split: str = "train"
) -> list[Attempt]:
    """The attempts at one problem at one step."""
    made = []
    for number in range(size):
        attempt = solve(rng, problem, step)
        attempt.step, attempt.number, attempt.problem, attempt.split = step, number, problem, split
        attempt.group = f"{split}-{step}-{problem.id}"
        made.append(attempt)
    return made


def train(
    rng: random.Random, problems: list[Problem], steps: int, a_step: int, size: int, solve: Solve
) -> list[Attempt]:
    """A run: each step some problems, each with a group of attempts."""
    dealt = deal(rng, problems, steps, a_step)
    return [
        attempt
        for step, asked in enumerate(dealt)
        for problem in asked
        for attempt in attempt_group(rng, problem, step, size, solve)
    ]


def credit(rng: random.Random, attempts: list[Attempt], estimator: Estimator) -> list[Attempt]:
    """Give the attempts of each step the advantages of the estimator; what is not trained on has none."""
    draws = np.random.default_rng(rng.getrandbits(32))
    counted = [a for a in attempts if a.reward is not None and a.in_loss and a.split == "train"]
    for step in sorted({a.step for a in counted}):
        batch = [a for a in counted if a.step == step]
        rewards, lengths = np.array([a.reward for a in batch], float), np.array([a.tokens for a in batch], float)
        values = estimator(rewards, np.array([a.group for a in batch]), lengths, draws)
        for attempt, value in zip(batch, values, strict=True):
            attempt.advantage = round(float(value), 6)
    return attempts
