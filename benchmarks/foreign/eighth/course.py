"""Tasks, attempts at them, and the course of a run."""

import math
from collections.abc import Callable
from dataclasses import dataclass, field
from random import Random
from typing import Any

from benchmarks.foreign.case import Row


@dataclass
class Reply:
    """What a policy wrote: messages after the prompt, in OpenAI's form, and the answer that they come to."""

    messages: list[Row]
    answer: str
    extra: Row = field(default_factory=dict)

    @property
    def text(self) -> str:
        """All that the policy wrote."""
        return "\n".join(m["content"] for m in self.messages if m["role"] == "assistant")


@dataclass
class Task:
    """A problem, and how an attempt at it is written that comes out right or wrong."""

    prompt: str
    gold: str
    family: str
    hard: float
    solve: Callable[[Random, bool], Reply]
    system: str = ""
    key: str = ""
    extra: Row = field(default_factory=dict)
    about: Any = None
    """What it was made of, for kinds that write episodes of their own."""


@dataclass
class Attempt:
    """One attempt, and what the trainer made of it."""

    task: Task
    step: int
    number: int
    right: bool
    reply: Reply
    reward: float | None = 0.0
    terms: dict[str, float] = field(default_factory=dict)
    advantage: float | None = None
    stop: str = "stop"
    error: str | None = None
    in_loss: bool | None = None
    split: str = "train"
    extra: Row = field(default_factory=dict)

    @property
    def group(self) -> tuple[str, int, str]:
        """What its group shares."""
        return self.split, self.step, self.task.key

    @property
    def tokens(self) -> int:
        """About so many tokens were sampled."""
        calls = sum(len(str(m.get("tool_calls", ""))) for m in self.reply.messages)
        return max(1, (len(self.reply.text) + calls) * 10 // 37)


def words(text: str, by: str = " ") -> list[str]:
    """The words of a line."""
    return text.split(by)


def say(text: str) -> Reply:
    """A reply of one message that comes to no short answer."""
    return Reply([{"role": "assistant", "content": text}], "")


def answered(text: str, answer: str, **extra: object) -> Reply:
    """A reply of one message."""
    return Reply([{"role": "assistant", "content": text}], answer, dict(extra))


def fresh(rng: Random, make: Callable[[Random], Task], count: int, prefix: str = "p") -> list[Task]:
    """Tasks with different prompts."""
    tasks: dict[str, Task] = {}
    for _ in range(count * 80):
        task = make(rng)
        tasks.setdefault(task.prompt, task)
        if len(tasks) == count:
            break
    for number, task in enumerate(tasks.values()):
        task.key = f"{prefix}{number:04d}"
    return list(tasks.values())


def plan(rng: Random, tasks: list[Task], steps: int, each: int) -> list[list[Task]]:
    """Batches of tasks for every step: epochs over a shuffled pool."""
    queue: list[Task] = []
    batches = []
    for _ in range(steps):
        if len(queue) < each:
            queue = rng.sample(tasks, len(tasks))
        batches.append(queue[:each])
        queue = queue[each:]
    return batches


def chance(skill: float, hard: float) -> float:
    """How often a policy of a skill solves a problem of a hardness."""
    return 1 / (1 + math.exp(hard - skill))


def climb(start: float, gain: float, steps: int) -> Callable[[int], float]:
    """Skill that rises evenly over the steps."""
    return lambda step: start + gain * step / max(1, steps - 1)


def roll(
    rng: Random, batches: list[list[Task]], size: int, skill: Callable[[int], float], split: str = "train"
) -> list[Attempt]:
    """Attempts at every task of every batch; the reward is whether they are right."""
    attempts = []
    for step, batch in enumerate(batches):
        for task in batch:
            for number in range(size):
                right = rng.random() < chance(skill(step), task.hard)
                reply = task.solve(rng, right)
                attempts.append(Attempt(task, step, number, right, reply, float(right), split=split))
    return attempts


def groups(attempts: list[Attempt]) -> list[list[Attempt]]:
    """Attempts by group, in their order."""
    found: dict[tuple, list[Attempt]] = {}
    for attempt in attempts:
        found.setdefault(attempt.group, []).append(attempt)
    return list(found.values())


def grpo(attempts: list[Attempt], epsilon: float = 1e-4) -> list[Attempt]:
    """Rewards less the mean of the group, over its deviation; rows without a reward have no part in it."""
    for group in groups(attempts):
        paid = [a for a in group if a.reward is not None]
        rewards = [a.reward or 0.0 for a in paid]
        mean = sum(rewards) / max(1, len(rewards))
        spread = math.sqrt(sum((r - mean) ** 2 for r in rewards) / max(1, len(rewards) - 1))
        for attempt, reward in zip(paid, rewards, strict=True):
            attempt.advantage = round((reward - mean) / (spread + epsilon), 6)
    return attempts


def rloo(attempts: list[Attempt]) -> list[Attempt]:
    """Rewards less the mean of the others in the group."""
    for group in groups(attempts):
        total = sum(a.reward or 0.0 for a in group)
        for attempt in group:
            own = attempt.reward or 0.0
            attempt.advantage = round(own - (total - own) / (len(group) - 1), 6)
    return attempts


def centred(attempts: list[Attempt]) -> list[Attempt]:
    """Rewards less the mean of the group (Dr. GRPO)."""
    for group in groups(attempts):
        mean = sum(a.reward or 0.0 for a in group) / len(group)
        for attempt in group:
            attempt.advantage = round((attempt.reward or 0.0) - mean, 6)
    return attempts
