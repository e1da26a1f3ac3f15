"""A run of training: which problems were attempted at which step, and how each attempt went."""

import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from random import Random
from typing import Any

Message = dict[str, Any]


@dataclass(frozen=True)
class Problem:
    """One item with what is asked, its ground truth, and what the world that drew it knows about it."""

    name: str
    asked: list[Message]
    gold: str
    hardness: float = 0.0
    facts: dict[str, Any] = field(default_factory=dict)


@dataclass
class Attempt:
    """One attempt; faults change it before the advantages are taken and the row is written."""

    step: int
    group: int
    number: int
    problem: Problem
    is_right: bool
    said: list[Message]
    reward: float
    advantage: float = 0.0
    columns: dict[str, Any] = field(default_factory=dict)

    @property
    def text(self) -> str:
        """All that the policy wrote."""
        return "\n".join(str(message["content"]) for message in self.said if message["role"] == "assistant")

    @property
    def num_tokens(self) -> int:
        """About how many tokens the policy sampled."""
        calls = sum(len(str(message.get("tool_calls", ""))) for message in self.said)
        return 3 + (len(self.text) + calls // 2) * 10 // 37


Draw = Callable[[Random, int], Problem]
Answer = Callable[[Random, Problem, bool], list[Message]]


@dataclass(frozen=True)
class Plan:
    """How long a run is, how many prompts a step has, and from where to where its skill goes, in logits."""

    steps: int = 12
    prompts: int = 5
    attempts: int = 6
    start: float = -0.9
    end: float = 1.3

    def skill(self, rng: Random, step: int) -> float:
        """Return the skill at a step: it rises fast at first, with noise."""
        done = step / max(self.steps - 1, 1)
        return self.start + (self.end - self.start) * done**0.7 + rng.gauss(0, 0.1)


def train(rng: Random, plan: Plan, draw: Draw, answer: Answer) -> list[Attempt]:
    """Return the attempts of a sound run on fresh problems, with a reward of 1 where right."""
    problems = [[draw(rng, step * plan.prompts + k) for k in range(plan.prompts)] for step in range(plan.steps)]
    return train_on(rng, plan, problems, answer)


def train_on(rng: Random, plan: Plan, problems: list[list[Problem]], answer: Answer) -> list[Attempt]:
    """Return the attempts of a sound run on the problems of each step."""
    found: list[Attempt] = []
    for step, batch in enumerate(problems):
        skill = plan.skill(rng, step)
        for group, problem in enumerate(batch):
            chance = 1 / (1 + math.exp(problem.hardness - skill))
            for number in range(plan.attempts):
                is_right = rng.random() < chance
                said = answer(rng, problem, is_right)
                found.append(Attempt(step, group, number, problem, is_right, said, float(is_right)))
    return found


def grouped(attempts: list[Attempt]) -> Iterator[list[Attempt]]:
    """Yield the attempts at one problem in one step."""
    groups: dict[tuple[int, int], list[Attempt]] = {}
    for one in attempts:
        groups.setdefault((one.step, one.group), []).append(one)
    yield from groups.values()


def adopts(rng: Random, step: int, first: int, full: int, most: float = 0.9) -> bool:
    """Tell whether an attempt shows a habit that appears at one step and is at its most at another."""
    share = (step - first + 1) / max(full - first + 1, 1)
    return rng.random() < most * min(max(share, 0.0), 1.0)


def user(text: str) -> Message:
    """Return a message of the user."""
    return {"role": "user", "content": text}


def system(text: str) -> Message:
    """Return a system prompt."""
    return {"role": "system", "content": text}


def says(text: str) -> Message:
    """Return a message of the policy."""
    return {"role": "assistant", "content": text}
