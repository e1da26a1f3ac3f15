"""A simulated policy that learns: which problems a step draws, and which attempts at them are right."""

import math
import random
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any


@dataclass
class Draw:
    """One attempt as the story knows it; a layout turns it into a row."""

    step: int
    group: str
    attempt: int
    task: Any
    right: bool
    text: str = ""
    reward: float = 0.0
    advantage: float | None = None
    stop: str = "stop"
    messages: list[dict] = field(default_factory=list)
    terms: dict[str, float] = field(default_factory=dict)
    beside: dict[str, Any] = field(default_factory=dict)

    @property
    def tokens(self) -> int:
        """Sampled tokens, about one for four signs."""
        said = self.text or "".join(
            (m.get("content") or "") + str(m.get("tool_calls", "")) for m in self.messages if m["role"] == "assistant"
        )
        return max(1, round(len(said) / 3.9))


def chance(start: float, rate: float, step: int, hardness: float) -> float:
    """Chance of a right attempt: a logistic curve that rises with the step."""
    return 1 / (1 + math.exp(-(start + rate * step - hardness)))


@dataclass
class Plan:
    """The size of a run and how fast its policy learns."""

    steps: int = 12
    problems: int = 8
    group: int = 8
    start: float = -0.3
    rate: float = 0.09
    first: int = 1


def attempts(rng: random.Random, plan: Plan, make: Callable[[random.Random], Any]) -> Iterator[Draw]:
    """Attempts in the order of steps; each group has a problem of its own."""
    seen: set[str] = set()
    for step in range(plan.first, plan.first + plan.steps):
        for place in range(plan.problems):
            task = fresh(rng, make, seen)
            yield from group_of(rng, plan, task, step, f"s{step}-{place}")


def fresh(rng: random.Random, make: Callable[[random.Random], Any], seen: set[str]) -> Any:
    """A problem whose prompt was not drawn before."""
    for _ in range(200):
        task = make(rng)
        if task.prompt not in seen:
            break
    seen.add(task.prompt)
    return task


def group_of(rng: random.Random, plan: Plan, task: Any, step: int, name: str) -> Iterator[Draw]:
    """The attempts of one group."""
    odds = chance(plan.start, plan.rate, step - plan.first, task.hardness)
    for attempt in range(plan.group):
        yield Draw(step, name, attempt, task, rng.random() < odds)
