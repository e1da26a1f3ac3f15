"""Estimates of the advantage."""

from collections.abc import Callable
from statistics import fmean, pstdev

from benchmarks.foreign.twentyeighth.rollouts import Episode, groups

Estimate = Callable[[list[float]], list[float]]


def grpo(rewards: list[float]) -> list[float]:
    """Deviation from the group's mean in units of its spread."""
    mean, spread = fmean(rewards), pstdev(rewards)
    return [round((r - mean) / (spread + 1e-4), 4) if spread > 1e-9 else 0.0 for r in rewards]


def centred(rewards: list[float]) -> list[float]:
    """Deviation from the group's mean (Dr. GRPO)."""
    mean = fmean(rewards)
    return [round(r - mean, 4) for r in rewards]


def rloo(rewards: list[float]) -> list[float]:
    """Deviation from the mean of the others."""
    n, total = len(rewards), sum(rewards)
    return [round(r - (total - r) / (n - 1), 4) for r in rewards]


def by_group(episodes: list[Episode], estimate: Estimate) -> list[Episode]:
    """Sets the advantages within groups."""
    for group in groups(episodes):
        for e, a in zip(group, estimate([e.reward for e in group]), strict=True):
            e.advantage = a
    return episodes


def by_batch(episodes: list[Episode]) -> list[Episode]:
    """Sets the advantages within steps (REINFORCE++)."""
    for step in sorted({e.step for e in episodes}):
        batch = [e for e in episodes if e.step == step]
        for e, a in zip(batch, grpo([e.reward for e in batch]), strict=True):
            e.advantage = a
    return episodes
