"""Advantages, as the common estimators give them."""

from collections import defaultdict
from collections.abc import Callable
from statistics import fmean, pstdev

from benchmarks.foreign.twentysecond.course import Episode

Estimate = Callable[[list[float]], list[float]]


def grpo(rewards: list[float]) -> list[float]:
    """Centred in the group and scaled by its deviation."""
    mean, scale = fmean(rewards), pstdev(rewards)
    return [round((r - mean) / (scale + 1e-6), 5) if scale else 0.0 for r in rewards]


def centred(rewards: list[float]) -> list[float]:
    """Dr. GRPO: centred in the group alone."""
    mean = fmean(rewards)
    return [round(r - mean, 5) for r in rewards]


def rloo(rewards: list[float]) -> list[float]:
    """Against the mean of the others of the group."""
    total, n = sum(rewards), len(rewards)
    return [round(r - (total - r) / (n - 1), 5) for r in rewards]


def by_group(episodes: list[Episode]) -> list[list[Episode]]:
    """Attempts at one task in one step."""
    groups = defaultdict(list)
    for e in episodes:
        groups[e.split, e.step, id(e.task)].append(e)
    return list(groups.values())


def by_step(episodes: list[Episode]) -> list[list[Episode]]:
    """Attempts of one step."""
    steps = defaultdict(list)
    for e in episodes:
        steps[e.step].append(e)
    return list(steps.values())


def credit(episodes: list[Episode], estimate: Estimate) -> list[Episode]:
    """Fill advantages group by group, of rewarded attempts alone."""
    for group in by_group(episodes):
        rewarded = [e for e in group if e.reward is not None]
        if len(rewarded) > 1:
            for e, a in zip(rewarded, estimate([e.reward for e in rewarded]), strict=True):
                e.advantage = a
    return episodes


def credit_batch(episodes: list[Episode]) -> list[Episode]:
    """REINFORCE++: centred and scaled over the whole step."""
    for batch in by_step(episodes):
        for e, a in zip(batch, grpo([e.reward for e in batch]), strict=True):
            e.advantage = a
    return episodes
