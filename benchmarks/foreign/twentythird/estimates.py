"""Advantages by group."""

import statistics
from collections import defaultdict
from collections.abc import Callable

from benchmarks.foreign.twentythird.rollouts import Attempt

Estimate = Callable[[list[float]], list[float]]


def grpo(rewards: list[float]) -> list[float]:
    """Distance from the mean in deviations."""
    mean = statistics.fmean(rewards)
    spread = statistics.stdev(rewards) if len(rewards) > 1 else 0.0
    return [(r - mean) / (spread + 1e-6) for r in rewards]


def centred(rewards: list[float]) -> list[float]:
    """Distance from the mean."""
    mean = statistics.fmean(rewards)
    return [r - mean for r in rewards]


def leave_one_out(rewards: list[float]) -> list[float]:
    """Distance from the mean of the others."""
    total = sum(rewards)
    return [r - (total - r) / (len(rewards) - 1) if len(rewards) > 1 else 0.0 for r in rewards]


def groups(attempts: list[Attempt]) -> list[list[Attempt]]:
    """Attempts at one task in one step."""
    found: dict[tuple, list[Attempt]] = defaultdict(list)
    for a in attempts:
        found[a.split, a.step, a.task.id].append(a)
    return list(found.values())


def credit(attempts: list[Attempt], estimate: Estimate = grpo) -> list[Attempt]:
    """Give the graded training attempts their advantages."""
    for members in groups([a for a in attempts if a.split == "train"]):
        graded = [(a, a.reward) for a in members if a.reward is not None]
        if graded:
            for (a, _), value in zip(graded, estimate([r for _, r in graded]), strict=True):
                a.advantage = round(value, 5)
    return attempts
