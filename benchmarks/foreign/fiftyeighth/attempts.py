"""Problems, attempts at them, and a policy that learns from step to step."""

import math
import random
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any


@dataclass
class Problem:
    """A task with its prompt, its right answer, and how hard it is (0 easy, 1 hard)."""

    id: str
    family: str
    prompt: str
    gold: str
    level: float = 0.5
    system: str = ""
    data: dict[str, Any] = field(default_factory=dict)


@dataclass
class Attempt:
    """One attempt: the policy's messages (tools' between them), what was paid, and what the logger kept beside."""

    messages: list[dict[str, Any]]
    reward: float | None
    correct: float | None = None
    terms: dict[str, float] = field(default_factory=dict)
    stop: str = "stop"
    extra: dict[str, Any] = field(default_factory=dict)
    problem: Problem = field(default_factory=lambda: Problem("", "", "", ""))
    step: int = 0
    number: int = 0
    split: str = "train"
    advantage: float | None = None
    in_loss: bool | None = None
    error: str | None = None

    @property
    def text(self) -> str:
        """What the policy wrote, all turns."""
        return "\n".join(str(m["content"]) for m in self.messages if m["role"] == "assistant")

    @property
    def tokens(self) -> int:
        """Sampled tokens, calls included."""
        calls = sum(len(str(m.get("tool_calls", ""))) for m in self.messages if m["role"] == "assistant")
        return count_tokens(len(self.text) + calls)

    @property
    def group(self) -> str:
        """The attempts at one problem in one step and split."""
        return f"{self.split}-{self.step}-{self.problem.id}"


def count_tokens(chars: int) -> int:
    """Tokens of a text of so many characters."""
    return max(1, round(chars / 3.7))


Draw = Callable[[random.Random, int], Problem]
Play = Callable[[random.Random, Problem, float, int], Attempt]


def chance(progress: float, level: float, low: float, high: float, tilt: float = 0.0) -> float:
    """How likely a right answer is: from `low` to `high` over the run, less at hard problems."""
    mean = low + (high - low) * (1 - math.exp(-2.2 * progress)) / (1 - math.exp(-2.2))
    odds = math.log(mean / (1 - mean)) + 2.4 * (0.5 - level) + tilt
    return 1 / (1 + math.exp(-odds))


def answered(rng: random.Random, problem: Problem, skill: float, step: int, play: Play, size: int) -> list[Attempt]:
    """A group of attempts at a problem."""
    out: list[Attempt] = []
    for number in range(size):
        attempt = play(rng, problem, skill, step)
        attempt.problem, attempt.step, attempt.number = problem, step, number
        out.append(attempt)
    return out


def run(
    rng: random.Random,
    draw: Draw,
    play: Play,
    steps: int = 14,
    per_step: int = 6,
    size: int = 6,
    low: float = 0.3,
    high: float = 0.65,
) -> list[Attempt]:
    """A run: at every step some problems, of each a group of attempts."""
    out: list[Attempt] = []
    for step in range(1, steps + 1):
        for _ in range(per_step):
            problem = draw(rng, step)
            skill = chance((step - 1) / max(1, steps - 1), problem.level, low, high, rng.gauss(0, 0.5))
            out += answered(rng, problem, skill, step, play, size)
    return out


def said(text: str) -> dict[str, Any]:
    """A message of the policy."""
    return {"role": "assistant", "content": text}


def called(text: str, name: str, **arguments: object) -> dict[str, Any]:
    """A message of the policy that calls a tool."""
    return {"role": "assistant", "content": text, "tool_calls": [{"name": name, "arguments": arguments}]}


def told(name: str, text: str, ok: bool = True) -> dict[str, Any]:
    """What a tool answered."""
    return {"role": "tool", "tool_name": name, "content": text, "ok": ok}
