"""Tasks, attempts and a simulated policy that learns."""

import math
import random
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any


@dataclass
class Task:
    """A problem: what the policy is told, and what is right."""

    id: str
    prompt: str
    gold: str
    family: str
    data: dict[str, Any] = field(default_factory=dict)


@dataclass
class Try:
    """One attempt: the turns behind the prompt, and what was made of them."""

    task: Task
    text: str
    right: bool
    answer: str = ""
    turns: list[dict] = field(default_factory=list)
    reward: float | None = 0.0
    advantage: float | None = None
    terms: dict[str, float] = field(default_factory=dict)
    stop: str = "stop"
    error: str | None = None
    in_loss: bool = True
    split: str = "train"
    step: int = 0
    group: int = 0
    number: int = 0
    prompt: str = ""
    extra: dict[str, Any] = field(default_factory=dict)

    @property
    def tokens(self) -> int:
        """Sampled tokens over all turns of the policy."""
        own = [turn for turn in self.turns if turn["role"] == "assistant"]
        if not own:
            return tokens(self.text)
        calls = [str(call["arguments"]) for turn in own for call in turn.get("tool_calls", [])]
        return sum(tokens(turn["content"]) for turn in own) + sum(8 + tokens(call) for call in calls)

    @property
    def asked(self) -> str:
        """The prompt as it was sent."""
        return self.prompt or self.task.prompt

    def messages(self) -> list[dict]:
        """The turns behind the prompt."""
        return self.turns or [{"role": "assistant", "content": self.text}]


def is_new(tasks: list[Task], prompt: str) -> bool:
    """Whether no task asks this yet."""
    return all(task.prompt != prompt for task in tasks)


Answer = Callable[[random.Random, Task, float, int], Try]


def tokens(text: str) -> int:
    """About as many tokens as a small model's vocabulary needs."""
    words = text.split()
    return max(1, sum(1 + (len(word) - 1) // 6 for word in words) + sum(text.count(sign) for sign in ".,:;()="))


class Learner:
    """A policy whose chance rises over the run, by problem and family differently."""

    def __init__(self, rng: random.Random, start: float = -0.7, gain: float = 1.8, spread: float = 1.1) -> None:
        self.start, self.gain, self.spread = start, gain, spread
        self.seed = rng.random()

    def chance(self, task: Task, progress: float) -> float:
        """Chance of a right attempt at a task when this share of the run is over."""
        hard = random.Random(f"{self.seed}{task.id}").gauss(0, self.spread)
        hard += random.Random(f"{self.seed}{task.family}").gauss(0, 0.35)
        learned = self.gain * (1 - math.exp(-2.2 * progress)) / (1 - math.exp(-2.2))
        return 1 / (1 + math.exp(-(self.start + learned - hard)))


@dataclass
class Plan:
    """How a run is laid out."""

    steps: int = 20
    groups: int = 4
    size: int = 8
    epochs: bool = False
    """Whether problems are taken in shuffled passes instead of drawn."""


def order(rng: random.Random, pool: list[Task], plan: Plan) -> list[list[Task]]:
    """The problems of each step: all once before any comes again."""
    queue: list[Task] = []
    steps = []
    for _ in range(plan.steps):
        chosen: list[Task] = []
        while len(chosen) < plan.groups:
            if not queue:
                queue = [task for task in rng.sample(pool, len(pool)) if task not in chosen]
            chosen.append(queue.pop())
        steps.append(chosen)
    return steps


def play(
    rng: random.Random, batches: list[list[Task]], size: int, learner: Learner, answer: Answer, split: str = "train"
) -> list[Try]:
    """Attempts of a whole run, in the order in which they were sampled."""
    tries = []
    for step, batch in enumerate(batches):
        mood = rng.gauss(0, 0.02)
        for group, task in enumerate(batch):
            chance = learner.chance(task, step / max(1, len(batches) - 1)) + mood
            for number in range(size):
                made = answer(rng, task, chance, step)
                made.step, made.group, made.number, made.split = step, group, number, split
                tries.append(made)
    return tries


def grouped(tries: list[Try]) -> list[list[Try]]:
    """Attempts by group."""
    groups: dict[tuple[str, int, int], list[Try]] = {}
    for one in tries:
        groups.setdefault((one.split, one.step, one.group), []).append(one)
    return list(groups.values())


def by_step(tries: list[Try]) -> list[list[Try]]:
    """Attempts by step."""
    steps: dict[int, list[Try]] = {}
    for one in tries:
        steps.setdefault(one.step, []).append(one)
    return list(steps.values())


def pay(tries: list[Try], **terms: Callable[[Try], float]) -> list[Try]:
    """Reward each attempt with the sum of terms."""
    for one in tries:
        one.terms = {name: round(term(one), 4) for name, term in terms.items()}
        one.reward = round(sum(one.terms.values()), 4)
    return tries


def pay_right(tries: list[Try]) -> list[Try]:
    """Reward 1 for a right attempt."""
    return pay(tries, correctness=lambda one: float(one.right))
