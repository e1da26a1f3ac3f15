"""A learning policy at work: tasks, replies, and the episodes of a training run."""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from random import Random
from typing import Any, NamedTuple


@dataclass
class Task:
    """One problem; `facts` is what its solver needs and no row shows."""

    id: str
    prompt: str
    gold: str
    family: str
    hard: float = 0.0
    system: str = ""
    facts: dict[str, Any] = field(default_factory=dict)
    extra: dict[str, Any] = field(default_factory=dict)


@dataclass
class Reply:
    """What followed the prompt."""

    turns: list[dict]
    answer: str
    extra: dict[str, Any] = field(default_factory=dict)
    stop: str = "stop"


class Domain(NamedTuple):
    """How tasks of one kind are made, and how they are tried: solve(rng, task, right, t) with t from 0 to 1."""

    make: Callable[[Random, str], Task]
    solve: Callable[[Random, Task, bool, float], Reply]


class Shape(NamedTuple):
    """Steps, groups of a step, attempts of a group."""

    steps: int
    groups: int
    size: int


@dataclass
class Episode:
    """One attempt in training or in an evaluation."""

    task: Task
    step: int
    attempt: int
    t: float
    right: bool
    reply: Reply
    reward: Any
    """A number; None where nothing was graded."""
    terms: dict[str, float]
    split: str = "train"
    advantage: Any = None
    in_loss: bool | None = None
    error: str | None = None
    extra: dict[str, Any] = field(default_factory=dict)

    @property
    def text(self) -> str:
        """All that the policy wrote."""
        return "\n".join(m["content"] or "" for m in self.reply.turns if m["role"] == "assistant")

    @property
    def tokens(self) -> int:
        """About as many as a tokeniser would count."""
        calls = sum(len(str(m.get("tool_calls", ""))) for m in self.reply.turns)
        return max(3, (len(self.text) + calls) * 10 // 38)


def sigmoid(x: float) -> float:
    """The logistic function."""
    return 1 / (1 + math.exp(-x))


def say(content: str) -> dict:
    """A message of the policy."""
    return {"role": "assistant", "content": content}


def call(content: str, name: str, /, **arguments: Any) -> dict:
    """A message of the policy with one call."""
    return {"role": "assistant", "content": content, "tool_calls": [{"name": name, "arguments": arguments}]}


def told(name: str, content: str, ok: bool = True) -> dict:
    """What a tool answered."""
    return {"role": "tool", "tool_name": name, "content": content, "ok": ok}


def make_tasks(rng: Random, domain: Domain, count: int, prefix: str) -> list[Task]:
    """Distinct tasks of a difficulty drawn for each."""
    tasks: list[Task] = []
    seen: set[str] = set()
    while len(tasks) < count:
        task = domain.make(rng, f"{prefix}-{len(tasks) * 7 + 1013}")
        if task.prompt in seen:
            continue
        seen.add(task.prompt)
        task.hard += rng.gauss(0, 0.8)
        tasks.append(task)
    return tasks


def attempt(rng: Random, domain: Domain, task: Task, place: tuple[int, int, float], skill: float) -> Episode:
    """One try at a task; place is the step, the number in the group, and t."""
    step, number, t = place
    right = rng.random() < sigmoid(skill - task.hard)
    reply = domain.solve(rng, task, right, t)
    if rng.random() < 0.015:
        last = reply.turns[-1]
        last["content"] = last["content"][: max(12, int(len(last["content"]) * rng.uniform(0.4, 0.8)))]
        reply.stop, reply.answer, right = "length", "", False
    return Episode(task, step, number, t, right, reply, float(right), {"correct": float(right)})


def play(
    rng: Random, domain: Domain, plan: Sequence[Sequence[Task]], size: int, start: float, gain: float
) -> list[Episode]:
    """Attempts at the tasks planned for each step, by a policy that gets better with wobbles."""
    episodes = []
    for step, tasks in enumerate(plan):
        t = step / max(1, len(plan) - 1)
        skill = start + gain * t**0.85 + rng.gauss(0, 0.12)
        for task in tasks:
            episodes += [attempt(rng, domain, task, (step, n, t), skill) for n in range(size)]
    return episodes


def fresh_plan(rng: Random, tasks: list[Task], shape: Shape) -> list[list[Task]]:
    """Groups of each step, in epochs over the tasks in an order of their own."""
    queue: list[Task] = []
    while len(queue) < shape.steps * shape.groups:
        queue += rng.sample(tasks, len(tasks))
    return [queue[i * shape.groups : (i + 1) * shape.groups] for i in range(shape.steps)]


def train(rng: Random, domain: Domain, shape: Shape, start: float, gain: float, prefix: str = "p") -> list[Episode]:
    """A run on tasks that are hardly seen twice."""
    tasks = make_tasks(rng, domain, int(shape.steps * shape.groups * rng.uniform(0.85, 1.0)), prefix)
    return play(rng, domain, fresh_plan(rng, tasks, shape), shape.size, start, gain)


def groups_of(episodes: list[Episode]) -> list[list[Episode]]:
    """Attempts at one task in one step."""
    groups: dict[tuple, list[Episode]] = {}
    for e in episodes:
        groups.setdefault((e.step, e.task.id, e.split), []).append(e)
    return list(groups.values())
