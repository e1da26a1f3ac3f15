"""A policy that learns: its skill rises with the steps, and an attempt is right by its odds on the task."""

import math
import random
from collections.abc import Callable, Sequence

from benchmarks.foreign.estimators import Estimator, grpo
from benchmarks.foreign.sixtyfirst.advantages import fill
from benchmarks.foreign.sixtyfirst.tasks import Attempt, Task, World

Change = Callable[[random.Random, Attempt], None]


def odds(skill: float, task: Task) -> float:
    """Probability that an attempt is right."""
    return 1 / (1 + math.exp(task.difficulty - skill))


def attempt(rng: random.Random, world: World, task: Task, step: int, index: int, skill: float) -> Attempt:
    """One attempt, graded by its outcome."""
    right = rng.random() < odds(skill, task)
    messages, answer = world.play(rng, task, right)
    return Attempt(task, step, index, messages, answer, right, skill, float(right))


def run(
    rng: random.Random,
    world: World,
    steps: int = 12,
    groups: int = 8,
    size: int = 8,
    start: float = -0.7,
    gain: float = 1.6,
    change: Change | None = None,
    pool: Sequence[Task] | None = None,
    estimator: Estimator = grpo,
    split: str = "train",
) -> list[Attempt]:
    """Attempts of a run, with the advantages that the estimator gives after every change."""
    made: list[Attempt] = []
    order: list[Task] = []
    for step in range(1, steps + 1):
        skill = start + gain * (step - 1) / max(1, steps - 1) + rng.gauss(0, 0.08)
        for _ in range(groups):
            if pool is not None and not order:
                order = rng.sample(list(pool), len(pool))
            task = order.pop() if pool is not None else world.draw(rng)
            for index in range(size):
                one = attempt(rng, world, task, step, index, skill)
                one.split = split
                if change is not None:
                    change(rng, one)
                made.append(one)
    if split == "train":
        fill(made, estimator)
    return made
