"""A simulated policy that learns: problems, attempts in groups, and the chance that an attempt is right."""

import math
import random
import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import Any

Message = dict


@dataclass
class Problem:
    """A task with its key."""

    id: str
    prompt: str
    gold: str
    family: str = ""
    hardness: float = 0.0
    """Added to the logit of failure."""
    facts: dict = field(default_factory=dict)
    system: str = ""


@dataclass
class Attempt:
    """One attempt, before any system writes it down."""

    problem: Problem
    step: int
    number: int
    progress: float
    """0 at the first step, 1 at the last."""
    right: bool
    turns: list[Message]
    answer: str
    reward: float = 0.0
    terms: dict[str, float] = field(default_factory=dict)
    correct: float | Any = 0.0
    """None where nothing tells."""
    advantage: float | None = None
    split: str = "train"
    place: int = 0
    """Number of the group within its step."""
    stop: str = "stop"
    columns: dict = field(default_factory=dict)

    @property
    def text(self) -> str:
        """The policy's last message."""
        return [turn for turn in self.turns if turn["role"] == "assistant"][-1]["content"]

    @text.setter
    def text(self, value: str) -> None:
        [turn for turn in self.turns if turn["role"] == "assistant"][-1]["content"] = value

    @property
    def group(self) -> str:
        """Attempts at one problem in one step share it."""
        return f"{self.split}-{self.step}-{self.place}"

    @property
    def tokens(self) -> int:
        """Sampled tokens over all turns."""
        return sum(count_tokens(turn) for turn in self.turns if turn["role"] == "assistant")


Write = Callable[[random.Random, Problem, bool, float], tuple[str | list[Message], str]]
"""Of a problem, whether the attempt succeeds, and progress: the text or turns, and the answer that they give."""


def count_tokens(turn: Message) -> int:
    """Words in pieces of five letters, and signs one by one."""
    text = turn["content"] + "".join(str(call["arguments"]) for call in turn.get("tool_calls", ()))
    return 1 + sum(-(-len(piece) // 5) for piece in re.findall(r"\w+|[^\w\s]", text))


def chance(start: float, end: float, progress: float, hardness: float) -> float:
    """Of success: from start to end over the run, fast at first, at a problem of hardness 0."""
    eased = 1 - (1 - progress) ** 1.6
    level = start + (end - start) * eased
    return 1 / (1 + math.exp(hardness - math.log(level / (1 - level))))


def attempt_at(
    rng: random.Random, problem: Problem, step: int, number: int, progress: float, right: bool, write: Write
) -> Attempt:
    """One attempt, paid 1 where it is right."""
    turns, answer = write(rng, problem, right, progress)
    if isinstance(turns, str):
        turns = [{"role": "assistant", "content": turns}]
    score = float(right)
    return Attempt(problem, step, number, progress, right, turns, answer, reward=score, correct=score)


def train(
    rng: random.Random,
    problems: list[Problem],
    write: Write,
    steps: int,
    size: int,
    start: float = 0.3,
    end: float = 0.7,
    first: int = 1,
) -> list[Attempt]:
    """A run over the problems in order, a share of them in each step, in groups of the size."""
    per_step = len(problems) // steps
    out = []
    for index in range(steps):
        progress = index / max(1, steps - 1)
        for place, problem in enumerate(problems[index * per_step : (index + 1) * per_step]):
            odds = chance(start, end, progress, problem.hardness)
            for number in range(size):
                right = rng.random() < odds
                attempt = attempt_at(rng, problem, first + index, number, progress, right, write)
                attempt.place = place
                out.append(attempt)
    return out


def evaluate(
    rng: random.Random, problems: list[Problem], write: Write, at: Iterable[tuple[int, float]], start: float, end: float
) -> list[Attempt]:
    """Held problems, one attempt each, at the given steps with their progress."""
    out = []
    for step, progress in at:
        for place, problem in enumerate(problems):
            right = rng.random() < chance(start, end, progress, problem.hardness)
            attempt = attempt_at(rng, problem, step, 0, progress, right, write)
            attempt.split, attempt.place = "validation", place
            out.append(attempt)
    return out


def distinct(rng: random.Random, make: Callable[[random.Random, int], Problem], number: int) -> list[Problem]:
    """Problems of which no two have one prompt."""
    seen: set[str] = set()
    out: list[Problem] = []
    while len(out) < number:
        problem = make(rng, len(out))
        if problem.prompt not in seen:
            seen.add(problem.prompt)
            out.append(problem)
    return out
