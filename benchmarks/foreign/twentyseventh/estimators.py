"""Advantages, as the trainers reckon them."""

import statistics
from collections.abc import Callable

from benchmarks.foreign.twentyseventh.runs import Attempt, groups_of

Estimate = Callable[[list[float]], list[float]]


def grpo(rewards: list[float]) -> list[float]:
    """Centred by the group's mean, divided by its deviation."""
    mean, spread = statistics.fmean(rewards), statistics.stdev(rewards) if len(rewards) > 1 else 0.0
    return [(r - mean) / (spread + 1e-6) for r in rewards]


def centred(rewards: list[float]) -> list[float]:
    """Centred by the group's mean alone, as in Dr. GRPO."""
    mean = statistics.fmean(rewards)
    return [r - mean for r in rewards]


def rloo(rewards: list[float]) -> list[float]:
    """Against the mean of the others."""
    total, others = sum(rewards), max(1, len(rewards) - 1)
    return [r - (total - r) / others for r in rewards]


def _rewards(attempts: list[Attempt]) -> list[float]:
    return [a.reward for a in attempts if a.reward is not None]


def credit(attempts: list[Attempt], estimate: Estimate = grpo) -> list[Attempt]:
    """Set the advantages of training attempts, group by group; those without a reward have none."""
    for group in groups_of(attempts):
        graded = [a for a in group if a.reward is not None and a.split == "train"]
        if graded:
            values = estimate(_rewards(graded))
            for a, value in zip(graded, values, strict=True):
                a.advantage = round(value, 5)
    return attempts


def reinforce_plus(attempts: list[Attempt]) -> list[Attempt]:
    """REINFORCE++: normalised over the whole batch of a step."""
    for step in sorted({a.step for a in attempts}):
        batch = [a for a in attempts if a.step == step and a.reward is not None and a.split == "train"]
        for a, value in zip(batch, grpo(_rewards(batch)), strict=True):
            a.advantage = round(value, 5)
    return attempts
