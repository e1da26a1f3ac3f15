"""Tasks, the attempts at them, and a policy that gets better from step to step."""

import math
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from random import Random


@dataclass
class Task:
    """One problem: what is asked, what is right, and how hard it is (in logits)."""

    key: str
    prompt: str
    gold: str = ""
    level: float = 0.0
    family: str = ""
    data: dict = field(default_factory=dict)


@dataclass
class Episode:
    """One attempt at a task, with what was paid for it."""

    task: Task
    step: int
    attempt: int
    right: bool
    progress: float
    messages: list[dict]
    reward: float = 0.0
    terms: dict[str, float] = field(default_factory=dict)
    advantage: float | None = None
    in_loss: bool = True
    stop: str = "stop"
    logprob: float = -0.5
    split: str = "train"
    extra: dict = field(default_factory=dict)

    @property
    def group(self) -> str:
        """Attempts at one problem in one step."""
        return f"{self.split}-{self.step:03d}-{self.task.key}"

    @property
    def text(self) -> str:
        """What the policy wrote, over all its turns."""
        return "\n".join(m.get("content") or "" for m in self.messages if m["role"] == "assistant")

    @property
    def tokens(self) -> int:
        """Sampled tokens, calls included."""
        calls = sum(len(str(m["tool_calls"])) for m in self.messages if m.get("tool_calls"))
        return max(1, round((len(self.text) + calls) / 3.6))


Make = Callable[[Random, int], Task]
Reply = Callable[[Random, Task, bool, float], list[dict]]


@dataclass(frozen=True)
class Shape:
    """Steps, groups a step, attempts a group; where the policy starts and how much it gains, in logits."""

    steps: int
    groups: int
    size: int
    start: float = -0.5
    gain: float = 1.8


def sigmoid(x: float) -> float:
    """Chance of logits."""
    return 1 / (1 + math.exp(-x))


def fresh(rng: Random, make: Make, shape: Shape) -> list[list[Task]]:
    """A plan of new tasks in every step, each prompt once."""
    seen: set[str] = set()
    plan = []
    for step in range(shape.steps):
        row: list[Task] = []
        while len(row) < shape.groups:
            task = make(rng, step * shape.groups + len(row))
            if task.prompt not in seen:
                seen.add(task.prompt)
                row.append(task)
        plan.append(row)
    return plan


def attempt(rng: Random, task: Task, reply: Reply, place: tuple[int, int], skill: tuple[float, float]) -> Episode:
    """One attempt; `place` is step and number, `skill` progress and logits."""
    right = rng.random() < sigmoid(skill[1] - task.level)
    logprob = round(min(-0.03, -0.62 + 0.27 * skill[0] + rng.gauss(0, 0.07)), 4)
    messages = reply(rng, task, right, skill[0])
    return Episode(task, *place, right, skill[0], messages, float(right), logprob=logprob)


def play(rng: Random, plan: list[list[Task]], reply: Reply, shape: Shape) -> list[Episode]:
    """All attempts of a plan, in order of time."""
    episodes = []
    for step, tasks in enumerate(plan):
        progress = step / max(1, len(plan) - 1)
        logits = shape.start + shape.gain * progress**0.8
        for task in tasks:
            episodes += [attempt(rng, task, reply, (step, n), (progress, logits)) for n in range(shape.size)]
    return episodes


def train(rng: Random, make: Make, reply: Reply, shape: Shape) -> list[Episode]:
    """A run on new tasks."""
    return play(rng, fresh(rng, make, shape), reply, shape)


def groups(episodes: Iterable[Episode]) -> list[list[Episode]]:
    """Attempts by group, in order."""
    found: dict[str, list[Episode]] = {}
    for e in episodes:
        found.setdefault(e.group, []).append(e)
    return list(found.values())


def say(role: str, content: str, **more: object) -> dict:
    """A message."""
    return {"role": role, "content": content, **more}
