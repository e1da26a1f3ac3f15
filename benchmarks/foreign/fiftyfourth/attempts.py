"""One attempt as a trainer holds it, runs of steps and groups, and a policy that learns."""

import math
import random
from collections.abc import Callable
from dataclasses import dataclass, field

import numpy as np

from benchmarks.foreign.estimators import Estimator, grpo


@dataclass
class Attempt:
    """One attempt at one problem, before a system writes it down."""

    prompt: str
    turns: list[dict]
    reward: float
    correct: float
    pid: str = ""
    gold: str = ""
    step: int = 0
    group: str = ""
    k: int = 0
    system: str = ""
    split: str = "train"
    stop: str = "stop"
    advantage: float | None = None
    terms: dict = field(default_factory=dict)
    extra: dict = field(default_factory=dict)

    @property
    def text(self) -> str:
        """What the policy wrote last."""
        return self.turns[-1]["content"]

    @property
    def tokens(self) -> int:
        """Sampled tokens over all turns, at about four signs a token."""
        return sum(count(turn) for turn in self.turns if turn["role"] == "assistant")


def count(turn: dict) -> int:
    """Tokens of one message with its calls."""
    calls = sum(len(str(call)) for call in turn.get("tool_calls", []))
    return max(1, round((len(turn["content"]) + calls) / 3.9))


def said(text: str) -> list[dict]:
    """A single assistant turn."""
    return [{"role": "assistant", "content": text}]


@dataclass
class Learner:
    """Chance of success by step and difficulty: a logistic that rises over the run."""

    start: float = -0.6
    gain: float = 1.6
    steps: int = 20

    def chance(self, step: float, hardness: float) -> float:
        """The chance that an attempt of this step is right."""
        return 1 / (1 + math.exp(hardness - self.start - self.gain * step / self.steps))

    def hits(self, rng: random.Random, step: float, hardness: float) -> bool:
        """Whether this attempt is right."""
        return rng.random() < self.chance(step, hardness)


Try = Callable[[int, dict, int], Attempt]


def run(rng: random.Random, problems: list[dict], steps: int, groups: int, size: int, attempt: Try) -> list[Attempt]:
    """A run that goes through shuffled problems, epoch by epoch; each step has groups of one size."""
    queue: list[dict] = []
    out = []
    for step in range(1, steps + 1):
        used: set[str] = set()
        for _ in range(groups):
            if not queue:
                queue = rng.sample(problems, len(problems))
                queue.sort(key=lambda p: p["id"] not in used)
            problem = queue.pop()
            used.add(problem["id"])
            for k in range(size):
                one = attempt(step, problem, k)
                one.step, one.k, one.pid = step, k, problem["id"]
                one.group = f"s{step}-{problem['id']}"
                out.append(one)
    return out


def weigh(attempts: list[Attempt], estimator: Estimator = grpo) -> list[Attempt]:
    """Write the advantages of an estimator, step by step."""
    generator = np.random.default_rng(len(attempts))
    for step in sorted({a.step for a in attempts}):
        rows = [a for a in attempts if a.step == step]
        rewards = np.array([a.reward for a in rows], dtype=float)
        groups, lengths = np.array([a.group for a in rows]), np.array([a.tokens for a in rows], dtype=float)
        for one, value in zip(rows, estimator(rewards, groups, lengths, generator), strict=True):
            one.advantage = round(float(value), 6)
    return attempts
