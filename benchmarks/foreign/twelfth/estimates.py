"""Advantages as trainers compute them from the rewards of a group."""

from collections.abc import Callable, Sequence
from statistics import fmean, pstdev, stdev

from benchmarks.foreign.twelfth.rollouts import Episode, groups

Estimate = Callable[[Sequence[float]], list[float]]


def grpo(rewards: Sequence[float]) -> list[float]:
    """Less the mean, over the standard deviation."""
    if len(rewards) < 2:
        return [0.0] * len(rewards)
    spread = stdev(rewards)
    return [(r - fmean(rewards)) / (spread + 1e-4) for r in rewards]


def verl_grpo(rewards: Sequence[float]) -> list[float]:
    """Less the mean, over the deviation of the whole group."""
    return [(r - fmean(rewards)) / (pstdev(rewards) + 1e-6) for r in rewards]


def dr_grpo(rewards: Sequence[float]) -> list[float]:
    """Less the mean."""
    return [r - fmean(rewards) for r in rewards]


def rloo(rewards: Sequence[float]) -> list[float]:
    """Less the mean of the others."""
    if len(rewards) < 2:
        return [0.0] * len(rewards)
    total = sum(rewards)
    return [r - (total - r) / (len(rewards) - 1) for r in rewards]


def credit(episodes: list[Episode], how: Estimate) -> list[Episode]:
    """Fill in advantages, group by group; attempts without a reward reach no loss."""
    for members in groups(episodes).values():
        graded = [e for e in members if e.reward is not None and e.split == "train"]
        for e, value in zip(graded, how([e.reward for e in graded]), strict=True):
            e.advantage = round(value, 5)
        for e in members:
            e.in_loss = e.advantage is not None
    return episodes
