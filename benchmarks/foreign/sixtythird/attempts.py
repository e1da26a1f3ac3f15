"""A learning policy: tasks in, attempts out."""

import math
import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

Message = dict[str, Any]


@dataclass
class Task:
    """A problem: what is asked, what is right, and what the policy may say to it."""

    id: str
    family: str
    prompt: str
    gold: str
    hard: float
    right: tuple[str, ...] = ()
    wrong: tuple[str, ...] = ()
    wrong_answers: tuple[str, ...] = ()
    facts: dict[str, Any] = field(default_factory=dict)


@dataclass
class Attempt:
    """One attempt at a task, before it is written down."""

    task: Task
    step: int
    k: int
    said: list[Message]
    ok: bool
    reward: float
    answer: str = ""
    system: str = ""
    terms: dict[str, float] = field(default_factory=dict)
    adv: float | None = None
    in_loss: bool = True
    stop: str = "stop"
    split: str = "train"
    extra: dict[str, Any] = field(default_factory=dict)

    @property
    def text(self) -> str:
        """What the policy wrote, turns joined."""
        return "\n".join(m["content"] for m in self.said if m["role"] == "assistant")

    @property
    def tokens(self) -> int:
        """Sampled tokens, at four characters each, calls included."""
        return sum(count(m) for m in self.said if m["role"] == "assistant")

    @property
    def group(self) -> str:
        """The group of the attempt."""
        return f"{self.split}-{self.step}-{self.task.id}"


Speak = Callable[[Task, bool, random.Random, float], tuple[list[Message], str]]
"""Task, whether it comes out right, draws and progress of the run -> messages and final answer."""


def count(message: Message) -> int:
    """Tokens of a message."""
    calls = sum(len(str(c["arguments"])) + len(c["name"]) + 8 for c in message.get("tool_calls", ()))
    return max(1, (len(message["content"]) + calls + 3) // 4)


def chance(task: Task, progress: float, start: float = 0.1, gain: float = 1.2) -> float:
    """Probability of a right attempt at this progress of the run."""
    return 1 / (1 + math.exp(task.hard - start - gain * progress))


def batch(
    tasks: Sequence[Task], step: int, steps: int, group: int, speak: Speak, rng: random.Random, gain: float = 1.2
) -> list[Attempt]:
    """The attempts of one step."""
    out: list[Attempt] = []
    progress = step / max(1, steps - 1)
    for task in tasks:
        for k in range(group):
            ok = rng.random() < chance(task, progress, gain=gain)
            said, answer = speak(task, ok, rng, progress)
            out.append(Attempt(task, step, k, said, ok, float(ok), answer))
    return out


def train(
    draw: Callable[[int], Sequence[Task]], steps: int, group: int, speak: Speak, rng: random.Random, gain: float = 1.2
) -> list[Attempt]:
    """A whole run: the tasks of each step, attempted by a policy that learns."""
    return [a for step in range(steps) for a in batch(draw(step), step, steps, group, speak, rng, gain)]


def say(text: str) -> list[Message]:
    """One assistant message."""
    return [{"role": "assistant", "content": text}]
