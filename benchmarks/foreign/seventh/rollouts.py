"""Episodes of a run: which problems at which step, how often tried, and with what outcome."""

import math
from collections.abc import Callable
from dataclasses import dataclass, field
from random import Random
from typing import Any, NamedTuple

from benchmarks.foreign.seventh.prose import token

Message = dict[str, Any]
CHARACTERS_PER_TOKEN = 3.7
LAST_CALL = -3
"""Place of the last call in a reply that ends with the tool's answer and a closing message."""


class Shape(NamedTuple):
    """How many steps a run has, tasks a step, and attempts a task."""

    steps: int
    tasks: int
    attempts: int


@dataclass
class Reply:
    """What the policy and its environment wrote."""

    messages: list[Message]
    answer: str
    extra: dict[str, Any] = field(default_factory=dict)


@dataclass
class Task:
    """A problem and the way it is answered, rightly or wrongly."""

    problem_id: str
    family: str
    domain: str
    prompt: str
    gold: str
    reply: Callable[[Random, bool], Reply]
    system: str = ""
    level: float = 0.0
    extra: dict[str, Any] = field(default_factory=dict)
    identity: str = ""
    """What makes it the same problem in other words; the prompt where empty."""


@dataclass
class Episode:
    """One attempt."""

    step: int
    task: Task
    attempt: int
    reply: Reply
    right: bool
    policy: str
    split: str = "train"
    reward: float | None = 0.0
    terms: dict[str, float] = field(default_factory=dict)
    advantage: float | None = None
    in_loss: bool | None = True
    error: str | None = None
    stop: str = "stop"
    extra: dict[str, Any] = field(default_factory=dict)

    @property
    def group(self) -> str:
        """Name of the group, of one task at one step in one part of the run."""
        part = self.extra.get("run_part")
        return f"{self.split}-{self.step:03d}-{self.task.problem_id}" + (f"-r{part}" if part else "")

    @property
    def text(self) -> str:
        """All that the policy wrote."""
        return "\n".join(m["content"] for m in self.reply.messages if m["role"] == "assistant")


def said(content: str) -> Message:
    """Return a message of the policy."""
    return {"role": "assistant", "content": content}


def call(content: str, name: str, **arguments: object) -> Message:
    """Return a message of the policy that calls a tool."""
    return {"role": "assistant", "content": content, "tool_calls": [{"name": name, "arguments": arguments}]}


def told(name: str, content: str, ok: bool = True) -> Message:
    """Return a tool's answer."""
    return {"role": "tool", "content": content, "tool_name": name, "ok": ok}


def tokens_of(message: Message) -> int:
    """Return about how many tokens a message has."""
    size = len(message["content"]) + sum(len(str(c)) for c in message.get("tool_calls", ()))
    return max(1, round(size / CHARACTERS_PER_TOKEN))


def distinct(rng: Random, make: Callable[[Random, str], Task], count: int, prefix: str) -> list[Task]:
    """Return so many different tasks."""
    tasks: dict[str, Task] = {}
    while len(tasks) < count:
        task = make(rng, f"{prefix}{len(tasks):04d}")
        tasks.setdefault(task.identity or task.prompt, task)
    return list(tasks.values())


def schedule(tasks: list[Task], steps: int) -> list[list[Task]]:
    """Return the tasks of each step, in order and the same number in each."""
    size = len(tasks) // steps
    return [tasks[i * size : (i + 1) * size] for i in range(steps)]


def chance(skill: float, level: float) -> float:
    """Return the probability of a right answer."""
    return 1 / (1 + math.exp(level - skill))


def climb(start: float, gain: float, steps: int) -> Callable[[int], float]:
    """Return a skill by step that grows fast at first."""
    return lambda step: start + gain * (1 - math.exp(-2.2 * step / max(1, steps - 1)))


def play(
    rng: Random,
    plan: list[list[Task]],
    attempts: int,
    skill: Callable[[int], float],
    split: str = "train",
    first_step: int = 0,
) -> list[Episode]:
    """Return so many attempts at each task of each step; reward and outcome are 1 or 0."""
    episodes = []
    for step, tasks in enumerate(plan, first_step):
        policy = token(rng, 12)
        today = skill(step) + rng.gauss(0, 0.12)
        for task in tasks:
            odds = chance(today, task.level + rng.gauss(0, 0.3))
            for attempt in range(attempts):
                right = rng.random() < odds
                reply = task.reply(rng, right)
                reward = 1.0 if right else 0.0
                episodes.append(Episode(step, task, attempt, reply, right, policy, split, reward, {"correct": reward}))
    return episodes


def train(
    rng: Random,
    make: Callable[[Random, str], Task],
    shape: Shape,
    start: float = -0.5,
    gain: float = 1.5,
    prefix: str = "p",
) -> list[Episode]:
    """Return a sound run of this shape on fresh tasks."""
    tasks = distinct(rng, make, shape.steps * shape.tasks, prefix)
    return play(rng, schedule(tasks, shape.steps), shape.attempts, climb(start, gain, shape.steps))
