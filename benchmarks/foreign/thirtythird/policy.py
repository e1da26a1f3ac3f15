"""A simulated policy that learns: attempts at tasks, step by step, with a chance of success that rises."""

import math
import random
import re
from collections.abc import Callable
from dataclasses import dataclass, field


@dataclass
class Task:
    """A problem: its text, its reference, and how hard it is for the policy (0: even odds at the middle of the run)."""

    id: str
    text: str
    gold: str
    family: str = ""
    hard: float = 0.0
    data: dict = field(default_factory=dict)


@dataclass
class Attempt:
    """What one attempt wrote and heard, and how it was graded."""

    task: Task
    turns: list[dict]
    reward: float
    correct: float | None = None
    terms: dict = field(default_factory=dict)
    extra: dict = field(default_factory=dict)
    stop: str = "stop"
    error: str | None = None
    system: str = ""
    step: int = 0
    number: int = 0
    split: str = "train"
    advantage: float | None = None
    in_loss: bool | None = None

    @property
    def text(self) -> str:
        """Everything that the policy wrote."""
        return "\n".join(turn["content"] for turn in self.turns if turn["role"] == "assistant")

    @property
    def tokens(self) -> int:
        """Sampled tokens."""
        return max(1, sum(tokens(turn["content"]) + 12 * len(turn.get("tool_calls", ())) for turn in self.own))

    @property
    def own(self) -> list[dict]:
        """The policy's messages."""
        return [turn for turn in self.turns if turn["role"] == "assistant"]


Write = Callable[[Task, float], Attempt]


def tokens(text: str) -> int:
    """Words and marks of a text."""
    return len(re.findall(r"\w+|[^\w\s]", text))


def cut(text: str, limit: int) -> str:
    """The text up to its `limit`-th token."""
    ends = [match.end() for match in re.finditer(r"\w+|[^\w\s]", text)]
    return text if len(ends) <= limit else text[: ends[limit - 1]]


def chance(task: Task, progress: float, gain: float = 2.6) -> float:
    """How likely an attempt is right."""
    return 1 / (1 + math.exp(task.hard - gain * (progress - 0.4)))


def say(text: str) -> dict:
    """A message of the policy."""
    return {"role": "assistant", "content": text}


def call(text: str, name: str, **arguments: str | int) -> dict:
    """A message of the policy with a tool call."""
    return {"role": "assistant", "content": text, "tool_calls": [{"name": name, "arguments": arguments}]}


def hear(text: str, name: str, ok: bool = True) -> dict:
    """A tool's answer."""
    return {"role": "tool", "content": text, "tool_name": name, "ok": ok}


def user(text: str) -> dict:
    """A user's turn."""
    return {"role": "user", "content": text}


def train(
    draw: Callable[[int], list[Task]], steps: int, size: int, write: Write, split: str = "train"
) -> list[Attempt]:
    """`size` attempts at each task that `draw` names for a step."""
    attempts = []
    for step in range(steps):
        for task in draw(step):
            for number in range(size):
                attempt = write(task, step / max(1, steps - 1))
                attempt.step, attempt.number, attempt.split = step, number, split
                attempts.append(attempt)
    return attempts


def evaluate(tasks: list[Task], at: list[int], steps: int, size: int, write: Write) -> list[Attempt]:
    """Held problems, attempted at some of the steps."""
    attempts = []
    for step in at:
        for task in tasks:
            for number in range(size):
                attempt = write(task, step / max(1, steps - 1))
                attempt.step, attempt.number, attempt.split = step, number, "validation"
                attempts.append(attempt)
    return attempts


def fresh(rng: random.Random, tasks: list[Task], per_step: int) -> Callable[[int], list[Task]]:
    """Draws tasks in a shuffled order, without return until all were seen, then in a new order."""
    order: list[Task] = []

    def draw(step: int) -> list[Task]:
        while len(order) < per_step:
            rest = [task for task in tasks if task not in order]
            order.extend(rng.sample(rest, len(rest)))
        taken = order[:per_step]
        del order[:per_step]
        return taken

    return draw
