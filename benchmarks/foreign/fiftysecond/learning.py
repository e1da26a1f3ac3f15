"""A simulated policy that learns: tasks, attempts at them by step, and the advantages that an estimator gives."""

import math
import random
from collections.abc import Callable
from dataclasses import dataclass, field

import numpy as np

from benchmarks.foreign.estimators import Estimator


@dataclass
class Task:
    """One problem of a data set."""

    id: str
    family: str
    prompt: str
    gold: str
    ease: float = 0.0
    system: str = ""
    data: dict = field(default_factory=dict)


@dataclass
class Attempt:
    """One attempt: what was said after the prompt, and what the grader made of it."""

    turns: list[dict]
    reward: float
    correct: float | None = None
    terms: dict[str, float] = field(default_factory=dict)
    stop: str = "stop"
    extra: dict = field(default_factory=dict)
    task: Task = field(default_factory=lambda: Task("", "", "", ""))
    step: int = 0
    number: int = 0
    split: str = "train"
    advantage: float | None = None
    in_loss: bool | None = None
    error: str | None = None

    @property
    def text(self) -> str:
        """What the policy said last."""
        return next((turn["content"] for turn in reversed(self.turns) if turn["role"] == "assistant"), "")

    @property
    def tokens(self) -> int:
        """Sampled tokens over all turns."""
        return sum(
            count(turn["content"] + "".join(str(call["arguments"]) for call in turn.get("tool_calls", [])))
            for turn in self.turns
            if turn["role"] == "assistant"
        )

    @property
    def group(self) -> str:
        """The attempts at one task in one step."""
        return f"{self.split}-{self.step}-{self.task.id}"


Play = Callable[[Task, int, float], Attempt]
"""A task, the step, the chance to be right -> an attempt."""


def count(text: str) -> int:
    """Tokens of a text, about."""
    return max(1, round(len(text) / 3.9))


def chance(ease: float, progress: float, gain: float = 1.7, start: float = -0.7) -> float:
    """How likely an attempt is right, of a task of some ease, after a share of the run."""
    return 1 / (1 + math.exp(-(start + gain * progress + ease)))


def say(text: str, **more: object) -> dict:
    """A turn of the policy."""
    return {"role": "assistant", "content": text, **more}


def call(text: str, tool: str, **arguments: object) -> dict:
    """A turn of the policy that calls a tool."""
    return say(text, tool_calls=[{"name": tool, "arguments": arguments}])


def hear(text: str, tool: str, ok: bool = True) -> dict:
    """A tool's answer."""
    return {"role": "tool", "content": text, "tool_name": tool, "ok": ok}


def ease(rng: random.Random) -> float:
    """How easy a task of a mixed data set is."""
    return rng.gauss(0, 1.1)


def roll(
    tasks: Callable[[int], Task], play: Play, steps: int, groups: int, size: int, gain: float = 1.7, start: float = -0.7
) -> list[Attempt]:
    """A run: at each step so many new tasks, each tried so many times."""
    out = []
    for step in range(steps):
        for place in range(groups):
            task = tasks(step * groups + place)
            likely = chance(task.ease, step / max(1, steps - 1), gain, start)
            for number in range(size):
                attempt = play(task, step, likely)
                attempt.task, attempt.step, attempt.number = task, step, number
                out.append(attempt)
    return out


def credit(attempts: list[Attempt], estimator: Estimator, rng: random.Random) -> list[Attempt]:
    """Give every attempt its advantage, step by step."""
    source = np.random.default_rng(rng.randrange(2**31))
    for step in sorted({attempt.step for attempt in attempts}):
        batch = [attempt for attempt in attempts if attempt.step == step]
        names = {name: place for place, name in enumerate(dict.fromkeys(attempt.group for attempt in batch))}
        values = estimator(
            np.array([attempt.reward for attempt in batch], dtype=float),
            np.array([names[attempt.group] for attempt in batch]),
            np.array([attempt.tokens for attempt in batch], dtype=float),
            source,
        )
        for attempt, value in zip(batch, values, strict=True):
            attempt.advantage = round(float(value), 6)
    return attempts
