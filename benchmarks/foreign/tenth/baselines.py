"""Advantages as trainers compute them."""

from collections.abc import Callable
from statistics import fmean, pstdev, stdev

from benchmarks.foreign.tenth.core import Attempt, groups

Estimate = Callable[[list[float]], list[float]]


def grpo(rewards: list[float]) -> list[float]:
    """Less the group's mean, over its deviation."""
    if len(rewards) < 2:
        return [0.0 for _ in rewards]
    mean, spread = fmean(rewards), stdev(rewards)
    return [(r - mean) / (spread + 1e-6) for r in rewards]


def centred(rewards: list[float]) -> list[float]:
    """Less the group's mean, as Dr. GRPO has it."""
    mean = fmean(rewards)
    return [r - mean for r in rewards]


def leave_one_out(rewards: list[float]) -> list[float]:
    """Less the mean of the others, as RLOO has it."""
    if len(rewards) < 2:
        return [0.0 for _ in rewards]
    total, count = sum(rewards), len(rewards)
    return [r - (total - r) / (count - 1) for r in rewards]


def credit(attempts: list[Attempt], estimate: Estimate = grpo) -> list[Attempt]:
    """Give the training attempts that have a reward their advantage within the group."""
    for group in groups([a for a in attempts if a.split == "train" and a.reward is not None]):
        for a, value in zip(group, estimate([a.reward for a in group]), strict=True):
            a.advantage = round(value, 5)
    return attempts


def credit_by_batch(attempts: list[Attempt]) -> list[Attempt]:
    """Less the batch's mean, over the batch's deviation, as REINFORCE++ has it."""
    for step in {a.step for a in attempts}:
        batch = [a for a in attempts if a.step == step and a.split == "train"]
        mean, spread = fmean(a.reward for a in batch), pstdev(a.reward for a in batch)
        for a in batch:
            a.advantage = round((a.reward - mean) / (spread + 1e-8), 5)
    return attempts
