"""Advantages of a group by the usual estimators."""

from collections.abc import Callable
from statistics import fmean, pstdev

from benchmarks.foreign.eighteenth.learning import groups
from benchmarks.foreign.eighteenth.shapes import Episode

Estimate = Callable[[list[float]], list[float]]


def grpo(rewards: list[float]) -> list[float]:
    """Standard scores within the group."""
    mean, spread = fmean(rewards), pstdev(rewards)
    return [(r - mean) / (spread + 1e-6) for r in rewards]


def scores_without_floor(rewards: list[float]) -> list[float]:
    """Standard scores, however small the spread is."""
    mean, spread = fmean(rewards), pstdev(rewards)
    return [(r - mean) / spread if spread else 0.0 for r in rewards]


def centred(rewards: list[float]) -> list[float]:
    """Differences from the mean of the group."""
    mean = fmean(rewards)
    return [r - mean for r in rewards]


def leave_one_out(rewards: list[float]) -> list[float]:
    """Differences from the mean of the others."""
    total, n = sum(rewards), len(rewards)
    return [r - (total - r) / (n - 1) for r in rewards]


def credit(episodes: list[Episode], estimate: Estimate = grpo) -> list[Episode]:
    """Set the advantages of training rows that have a reward."""
    for members in groups(episodes):
        graded = [e for e in members if e.reward is not None and e.split == "train"]
        if len(graded) > 1:
            for e, value in zip(graded, estimate([e.reward for e in graded]), strict=True):
                e.advantage = round(value, 5) + 0.0
    return episodes
