"""Tasks, attempts, and the loop of a policy that learns."""

import math
from collections.abc import Callable
from dataclasses import dataclass, field
from random import Random
from typing import Any


@dataclass
class Task:
    """One problem of a data set."""

    prompt: str
    gold: str
    family: str
    hard: float = 0.0
    extra: dict = field(default_factory=dict)
    """Columns of its rows."""
    work: dict = field(default_factory=dict)
    """What a policy needs to write an attempt."""
    id: str = ""


@dataclass
class Reply:
    """What the policy and its tools wrote after the prompt, and the answer that it gave."""

    messages: list[dict]
    answer: str


@dataclass
class Episode:
    """One attempt, with all that training made of it."""

    task: Task
    step: int
    attempt: int
    level: float
    right: bool
    reply: Reply
    reward: Any = 0.0
    terms: dict[str, float] = field(default_factory=dict)
    advantage: float | None = None
    in_loss: bool = True
    stop: str = "stop"
    error: str | None = None
    split: str = "train"
    seconds: float = 0.0
    extra: dict = field(default_factory=dict)

    @property
    def last(self) -> dict:
        """The last message."""
        return self.reply.messages[-1]

    @property
    def chars(self) -> int:
        """How much the policy wrote."""
        said = (m for m in self.reply.messages if m["role"] == "assistant")
        return sum(len(m["content"]) + 40 * len(m.get("tool_calls", ())) for m in said)


Act = Callable[[Random, Task, bool, float], Reply]
Levels = Callable[[Task, int, int, float], float]


@dataclass(frozen=True)
class World:
    """Problems of one kind, and how a policy goes about them."""

    name: str
    make: Callable[[Random], Task]
    act: Act
    system: str = ""


@dataclass(frozen=True)
class Plan:
    """How long a run is and how much it learns; without a pool every step has new problems."""

    steps: int
    groups: int
    size: int
    start: float
    gain: float
    pool: int = 0
    first: int = 1


def draw_plan(rng: Random, **changes: Any) -> Plan:
    """A plan of usual size; `changes` override what is drawn."""
    size = int(changes.get("size", rng.choice([4, 5, 6, 8])))
    steps = int(changes.get("steps", rng.randint(6, 12)))
    groups = max(5, round(rng.randint(430, 690) / (size * steps)))
    drawn = {"groups": groups, "start": rng.uniform(-1.0, -0.3), "gain": rng.uniform(1.5, 2.4)}
    return Plan(**({"size": size, "steps": steps, **drawn} | changes))


def chance(logit: float) -> float:
    """The logistic function."""
    return 1 / (1 + math.exp(-logit))


def distinct(rng: Random, world: World, count: int) -> list[Task]:
    """So many problems with different prompts, each with an id."""
    tasks: dict[str, Task] = {}
    while len(tasks) < count:
        task = world.make(rng)
        tasks.setdefault(task.prompt, task)
    numbers = rng.sample(range(100, 9999), count)
    for task, number in zip(tasks.values(), numbers, strict=True):
        task.id = f"{world.name}-{number:05d}"
        task.hard += rng.gauss(0, 0.8)
    return list(tasks.values())


def schedule(rng: Random, tasks: list[Task], plan: Plan) -> list[list[Task]]:
    """The problems of each step: every problem once before any comes again."""
    queue: list[Task] = []
    steps = []
    for _ in range(plan.steps):
        if len(queue) < plan.groups:
            queue += rng.sample(tasks, len(tasks))
        steps.append(queue[: plan.groups])
        queue = queue[plan.groups :]
    return steps


def level_at(plan: Plan, number: int) -> float:
    """What the policy can do at the step of this number: most is learned early."""
    share = number / max(1, plan.steps - 1)
    return plan.start + plan.gain * (1 - (1 - share) ** 1.6)


def play(
    rng: Random, world: World, plan: Plan, steps: list[list[Task]] | None = None, levels: Levels | None = None
) -> list[Episode]:
    """All attempts of a run; `levels` says where the policy is better or worse than its level."""
    if steps is None:
        steps = schedule(rng, distinct(rng, world, plan.pool or plan.steps * plan.groups), plan)
    episodes = []
    for number, tasks in enumerate(steps):
        level = level_at(plan, number) + rng.gauss(0, 0.12)
        for task in tasks:
            luck = rng.gauss(0, 0.3)
            for attempt in range(plan.size):
                mine = levels(task, number, attempt, level) if levels else level
                right = rng.random() < chance(mine - task.hard + luck)
                reply = world.act(rng, task, right, mine)
                episodes.append(Episode(task, plan.first + number, attempt, mine, right, reply))
    for e in episodes:
        e.seconds = round(e.chars / rng.uniform(70, 130) + rng.lognormvariate(0.4, 0.5), 2)
        e.reward, e.terms = float(e.right), {"correct": float(e.right)}
    return episodes
