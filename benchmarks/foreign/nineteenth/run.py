"""Runs of a policy that learns: which problems it meets, how often it is right, what went wrong beside."""

import math
from collections.abc import Callable
from dataclasses import dataclass
from random import Random

from benchmarks.foreign.nineteenth.core import Task, Try

Make = Callable[[Random], Task]
Point = tuple[float, float]
"""How far training has come (0 to 1), and the log odds of the policy at a task of middling ease."""
MACHINE_ERRORS = ("SandboxTimeout", "ConnectionReset", "WorkerPreempted")


@dataclass(frozen=True)
class Shape:
    """How many steps, groups a step and attempts a group; the number of the first step and the way between steps."""

    steps: int
    groups: int
    size: int
    first: int = 1
    stride: int = 1


def pool(rng: Random, make: Make, count: int, prefix: str) -> list[Task]:
    """Draw tasks with different prompts."""
    tasks: dict[str, Task] = {}
    number = rng.randrange(100, 6000)
    for _ in range(count * 40):
        task = make(rng)
        if task.prompt not in tasks:
            number += rng.randrange(1, 9)
            task.id = f"{prefix}{number}"
            task.ease += rng.gauss(0.0, 0.8)
            tasks[task.prompt] = task
        if len(tasks) == count:
            return list(tasks.values())
    raise ValueError(f"fewer than {count} different prompts: {len(tasks)}")


def deal(rng: Random, tasks: list[Task], shape: Shape) -> list[list[Task]]:
    """Deal tasks to steps, shuffled anew in each epoch."""
    plan: list[list[Task]] = []
    waiting: list[Task] = []
    for _ in range(shape.steps):
        while len(waiting) < shape.groups:
            held = {t.id for t in waiting}
            fresh = [t for t in tasks if t.id not in held]
            waiting += rng.sample(fresh, len(fresh))
        plan.append(waiting[: shape.groups])
        waiting = waiting[shape.groups :]
    return plan


def chance(level: float) -> float:
    """Turn log odds into a chance."""
    return 1.0 / (1.0 + math.exp(-level))


def attempt(rng: Random, task: Task, step: int, number: int, skill: float, level: float) -> Try:
    """Let the policy try a task; `level` is its log odds at a task of middling ease."""
    right = rng.random() < chance(level + task.ease)
    reply = task.write(rng, right, skill)
    made = Try(task, step, number, right, reply.messages, reply.answer, skill)
    made.reward, made.terms = float(right), {"correct": float(right)}
    made.seconds = round(made.tokens / rng.uniform(38, 62) + rng.expovariate(0.8), 2)
    return made


def climb(rng: Random, steps: int, start: float, gain: float) -> list[Point]:
    """Learn fast at first and slower later."""
    course = []
    for place in range(steps):
        skill = place / max(1, steps - 1)
        level = start + gain * (1 - math.exp(-2.0 * skill)) / (1 - math.exp(-2.0)) + rng.gauss(0, 0.12)
        course.append((skill, level))
    return course


def play(rng: Random, plan: list[list[Task]], shape: Shape, course: list[Point]) -> list[Try]:
    """Play all steps of a plan."""
    tries = []
    for place, (tasks, (skill, level)) in enumerate(zip(plan, course, strict=True)):
        step = shape.first + place * shape.stride
        tries += [attempt(rng, t, step, n, skill, level) for t in tasks for n in range(shape.size)]
    return tries


def train(rng: Random, make: Make, shape: Shape, start: float, gain: float, prefix: str = "p") -> list[Try]:
    """Train on tasks each met once, with what goes wrong in any run."""
    tasks = pool(rng, make, shape.steps * shape.groups, prefix)
    return roughen(rng, play(rng, deal(rng, tasks, shape), shape, climb(rng, shape.steps, start, gain)))


def roughen(rng: Random, tries: list[Try]) -> list[Try]:
    """Cut a few attempts by their budget and lose a few to machines."""
    for t in tries:
        if rng.random() < 0.012:
            cut_short(rng, t)
        elif rng.random() < 0.006:
            lose(rng, t)
    return tries


def cut_short(rng: Random, t: Try) -> None:
    """Let the budget of tokens end an attempt before its answer."""
    last = next(m for m in reversed(t.messages) if m["role"] == "assistant")
    t.messages = t.messages[: t.messages.index(last) + 1]
    text = last["content"] or ""
    last["content"] = text[: int(len(text) * rng.uniform(0.35, 0.75))]
    last.pop("tool_calls", None)
    t.stop, t.answer, t.right, t.reward = "length", "", False, 0.0
    t.terms = dict.fromkeys(t.terms, 0.0)


def lose(rng: Random, t: Try) -> None:
    """Lose an attempt to a machine: no reward, no place in the loss."""
    t.error, t.stop, t.reward, t.in_loss = rng.choice(MACHINE_ERRORS), "error", None, False
    t.terms = {}


def examine(rng: Random, tasks: list[Task], step: int, skill: float, level: float) -> list[Try]:
    """Try held tasks once each, outside training."""
    tries = [attempt(rng, t, step, 0, skill, level) for t in tasks]
    for t in tries:
        t.split, t.in_loss = "validation", None
    return tries


def late(tries: list[Try], share: float) -> list[Try]:
    """Give the sound attempts after a share of the run."""
    steps = sorted({t.step for t in tries})
    first = steps[int(len(steps) * share)]
    return [t for t in tries if t.step >= first and not t.error and t.stop != "length"]


def judged(t: Try, right: bool, reward: float | None = None) -> None:
    """Judge an attempt anew."""
    t.right, t.reward = right, float(right) if reward is None else reward
    t.terms = {"correct": t.reward}
