"""A simulated policy that learns: attempts at tasks, step by step, in groups."""

import math
import random
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

_TOKEN = re.compile(r"\w{1,5}|[^\w\s]")


@dataclass
class Task:
    """A problem with a prompt, its right answer, and a way to write attempts at it."""

    id: str
    prompt: str
    gold: str
    family: str
    write: Callable[[random.Random, bool], tuple[str, str]]
    """(rng, is right) -> text of the attempt, its final answer."""
    data: dict[str, Any] = field(default_factory=dict)


@dataclass
class Attempt:
    """One attempt as the trainer holds it before it is logged."""

    task: Task
    step: int
    index: int
    right: bool
    text: str = ""
    answer: str = ""
    turns: list[dict] = field(default_factory=list)
    """Messages after the prompt; empty where `text` is all."""
    reward: float = 0.0
    terms: dict[str, float] = field(default_factory=dict)
    advantage: float = 0.0
    stop: str = "stop"
    extra: dict[str, Any] = field(default_factory=dict)
    prompt: str = ""
    split: str = "train"
    in_loss: bool = True

    @property
    def group(self) -> str:
        """Name of the group: attempts at one problem in one step."""
        return f"{self.split}-{self.step}-{self.task.id}"

    @property
    def num_tokens(self) -> int:
        """Tokens that the policy sampled."""
        if not self.turns:
            return count_tokens(self.text)
        return sum(count_tokens(said(turn)) for turn in self.turns if turn["role"] == "assistant")

    def messages(self) -> list[dict]:
        """All after the prompt, as messages."""
        return self.turns or [{"role": "assistant", "content": self.text}]


def said(turn: dict) -> str:
    """What a message holds, its calls included."""
    return turn["content"] + "".join(f"{c['name']} {c['arguments']}" for c in turn.get("tool_calls", []))


def count_tokens(text: str) -> int:
    """Tokens of a text, with the one that ends it."""
    return len(_TOKEN.findall(text)) + 1


class Policy:
    """Solves a task with a chance that grows over the steps and differs between tasks."""

    def __init__(self, rng: random.Random, start: float, end: float, steps: int, spread: float = 1.1) -> None:
        self.rng, self.steps, self.spread = rng, steps, spread
        self.low, self.high = math.log(start / (1 - start)), math.log(end / (1 - end))
        self.ease: dict[str, float] = {}

    def chance(self, task: Task, step: float) -> float:
        """Chance of a right attempt at a step."""
        if task.id not in self.ease:
            self.ease[task.id] = self.rng.gauss(task.data.get("ease", 0.0), self.spread)
        progress = 1 - math.exp(-2.2 * step / self.steps)
        level = self.low + (self.high - self.low) * progress / (1 - math.exp(-2.2))
        return 1 / (1 + math.exp(-(level + self.ease[task.id])))


def rollout(
    rng: random.Random, tasks: Sequence[Task], policy: Policy, groups: int, size: int, split: str = "train"
) -> list[Attempt]:
    """Attempts of a run: each step takes the next problems of a shuffled pass."""
    order: list[Task] = []
    found: list[Attempt] = []
    for step in range(1, policy.steps + 1):
        batch: list[Task] = []
        while len(batch) < groups:
            if not order:
                order = rng.sample(list(tasks), len(tasks))
            task = order.pop()
            if task not in batch:
                batch.append(task)
        for task in batch:
            found += attempts_at(rng, task, policy, step, size, split)
    return found


def attempts_at(
    rng: random.Random, task: Task, policy: Policy, step: int, size: int, split: str = "train"
) -> list[Attempt]:
    """One group."""
    chance, group = policy.chance(task, step), []
    for index in range(size):
        right = rng.random() < chance
        text, answer = task.write(rng, right)
        group.append(
            Attempt(task, step, index, right, text, answer, prompt=task.prompt, reward=float(right), split=split)
        )
    return group


def by_group(attempts: Sequence[Attempt]) -> list[list[Attempt]]:
    """Attempts of each group, in order."""
    groups: dict[str, list[Attempt]] = {}
    for attempt in attempts:
        groups.setdefault(attempt.group, []).append(attempt)
    return list(groups.values())
