"""How a run is played: tasks by step, a policy that learns, attempts in groups."""

import math
from collections.abc import Callable
from dataclasses import dataclass, field
from random import Random

from benchmarks.foreign.case import Row


@dataclass
class Task:
    """One problem of the data."""

    prompt: str
    gold: str = ""
    info: Row = field(default_factory=dict)
    id: str = ""
    hard: float = 0.0


@dataclass
class Draw:
    """What one attempt is drawn from; `able` says whether the policy finds the solution this time."""

    rng: Random
    task: Task
    able: bool
    t: float
    step: int


@dataclass
class Try:
    """One attempt with its grade."""

    messages: list[Row]
    reward: float
    right: bool
    info: Row = field(default_factory=dict)
    terms: Row = field(default_factory=dict)
    stop: str = "stop"
    task: Task = field(default_factory=lambda: Task(""))
    step: int = 0
    slot: int = 0
    split: str = "train"
    advantage: float | None = None


@dataclass(frozen=True)
class Plan:
    """Steps, groups a step, attempts a group, and how the policy's skill moves (in logits)."""

    steps: int
    groups: int
    size: int
    start: float = -0.7
    gain: float = 2.0
    spread: float = 0.9
    prefix: str = "p"
    pool: int = 0
    cut: float = 0.012


Make = Callable[[Random], Task]
Attempt = Callable[[Draw], Try]


def tasks(rng: Random, make: Make, count: int, plan: Plan) -> list[Task]:
    """Tasks of different prompts, numbered, each as hard as it happens to be."""
    rng = Random(f"{plan.prefix}{rng.random()}")
    seen: dict[str, Task] = {}
    tries = 0
    while len(seen) < count and tries < 60 * count:
        task = make(rng)
        seen.setdefault(task.prompt, task)
        tries += 1
    base = rng.randrange(100, 9000)
    for number, task in enumerate(seen.values()):
        task.id = f"{plan.prefix}{base + number * 7}"
        task.hard = rng.gauss(0, plan.spread)
    return list(seen.values())


def chance(logit: float) -> float:
    """The logistic function."""
    return 1 / (1 + math.exp(-logit))


def skill(plan: Plan, t: float) -> float:
    """The policy's skill at this part of the run."""
    return plan.start + plan.gain * t**0.8


def play(rng: Random, pool: list[Task], attempt: Attempt, plan: Plan) -> list[Try]:
    """Groups of attempts by step; now and then one is lost or cut by the budget."""
    found: list[Try] = []
    queue: list[Task] = []
    for step in range(plan.steps):
        t = step / (plan.steps - 1)
        level = skill(plan, t) + rng.gauss(0, 0.12)
        for _ in range(plan.groups):
            if not queue:
                queue = rng.sample(pool, len(pool))
            task = queue.pop()
            for slot in range(plan.size):
                if rng.random() < 0.004:
                    continue
                able = rng.random() < chance(level - task.hard)
                done = attempt(Draw(rng, task, able, t, step))
                done.task, done.step, done.slot = task, step, slot
                if rng.random() < plan.cut:
                    _cut(rng, done)
                found.append(done)
    return found


def train(rng: Random, make: Make, attempt: Attempt, plan: Plan) -> list[Try]:
    """A whole run on tasks of one maker."""
    return play(rng, tasks(rng, make, plan.pool or plan.steps * plan.groups, plan), attempt, plan)


def evaluate(rng: Random, pool: list[Task], attempt: Attempt, plan: Plan, every: int = 2) -> list[Try]:
    """One attempt at each held task, every so many steps."""
    found = []
    for step in range(0, plan.steps, every):
        t = step / (plan.steps - 1)
        for task in pool:
            done = attempt(Draw(rng, task, rng.random() < chance(skill(plan, t) - task.hard), t, step))
            done.task, done.step, done.split = task, step, "validation"
            found.append(done)
    return found


def _cut(rng: Random, done: Try) -> None:
    last = done.messages[-1]
    if last["role"] != "assistant" or len(done.messages) > 3 or len(last["content"]) < 120:
        return
    last["content"] = last["content"][: int(len(last["content"]) * rng.uniform(0.35, 0.7))]
    done.reward, done.right, done.stop = min(done.reward, 0.0), False, "length"
    done.terms = dict.fromkeys(done.terms, 0.0)
