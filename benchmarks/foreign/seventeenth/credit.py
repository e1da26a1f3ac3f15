"""Advantages of attempts by several estimators."""

from collections.abc import Callable
from itertools import groupby
from statistics import fmean, pstdev

from benchmarks.foreign.seventeenth.rollouts import Sample, groups

Estimate = Callable[[list[float]], list[float]]


def grpo(rewards: list[float]) -> list[float]:
    """Centred by the group and divided by its spread."""
    middle, spread = fmean(rewards), pstdev(rewards)
    return [(r - middle) / (spread + 1e-4) for r in rewards]


def dr_grpo(rewards: list[float]) -> list[float]:
    """Centred by the group alone."""
    middle = fmean(rewards)
    return [r - middle for r in rewards]


def rloo(rewards: list[float]) -> list[float]:
    """Against the mean of the others."""
    others = len(rewards) - 1
    return [r - (sum(rewards) - r) / others if others else 0.0 for r in rewards]


def by_group(samples: list[Sample], estimate: Estimate) -> list[Sample]:
    """Give each group its advantages; attempts without a reward get none and stay out of the loss."""
    for group in groups(samples):
        graded = [s for s in group if s.reward is not None and s.split == "train"]
        for s, value in zip(graded, estimate([s.reward for s in graded]) if graded else [], strict=True):
            s.advantage = round(value, 5)
        for s in group:
            if s.advantage is None:
                s.in_loss = False
    return samples


def by_batch(samples: list[Sample]) -> list[Sample]:
    """REINFORCE++ with a group's mean as baseline: centred by the group, then divided by the batch's spread."""
    by_group(samples, dr_grpo)
    trained = sorted((s for s in samples if s.advantage is not None), key=lambda s: s.step)
    for _, batch in groupby(trained, key=lambda s: s.step):
        rows = list(batch)
        spread = pstdev([s.advantage or 0.0 for s in rows]) + 1e-6
        for s in rows:
            s.advantage = round((s.advantage or 0.0) / spread, 5)
    return samples
