"""A policy that learns: its chance on a problem by step, and the order in which problems come."""

import math
import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TypeVar

T = TypeVar("T")


@dataclass(frozen=True)
class Learner:
    """Skill moves from `start` to `end` over `steps`; chances are those of a logistic curve."""

    start: float
    end: float
    steps: int

    def chance(self, step: int, difficulty: float = 0.0) -> float:
        """Chance to be right at a step on a problem of that difficulty."""
        part = step / max(1, self.steps - 1)
        skill = self.start + (self.end - self.start) * part
        return 1 / (1 + math.exp(difficulty - skill))

    def is_right(self, rng: random.Random, step: int, difficulty: float = 0.0) -> bool:
        """Draw whether an attempt is right."""
        return rng.random() < self.chance(step, difficulty)


def schedule(rng: random.Random, pool: Sequence[T], steps: int, prompts: int) -> Iterator[tuple[int, list[T]]]:
    """Problems of each step, in epochs that are shuffled anew."""
    queue: list[T] = []
    for step in range(steps):
        batch: list[T] = []
        while len(batch) < prompts:
            if not queue:
                queue = list(pool)
                rng.shuffle(queue)
            batch.append(queue.pop())
        yield step, batch


def tokens(text: str) -> int:
    """Tokens of a text, at about four signs each."""
    return max(1, round(len(text) / 4.1))


def identifier(rng: random.Random, length: int = 8) -> str:
    """A hexadecimal identifier."""
    return "".join(rng.choice("0123456789abcdef") for _ in range(length))
