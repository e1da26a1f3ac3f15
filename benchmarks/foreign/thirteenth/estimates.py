"""Advantages from rewards."""

from random import Random
from statistics import fmean, pstdev, stdev

from benchmarks.foreign.thirteenth.rollouts import Attempt, groups


def _scored(group: list[Attempt]) -> list[Attempt]:
    return [a for a in group if a.reward is not None]


def grpo(attempts: list[Attempt]) -> list[Attempt]:
    """Reward less the group's mean, over its deviation."""
    for group in map(_scored, groups(attempts)):
        if len(group) > 1:
            mean, spread = fmean(a.reward for a in group), stdev(a.reward for a in group)
            for a in group:
                a.advantage = round((a.reward - mean) / (spread + 1e-6), 5)
    return attempts


def dr_grpo(attempts: list[Attempt]) -> list[Attempt]:
    """Reward less the group's mean."""
    for group in map(_scored, groups(attempts)):
        for a in group:
            a.advantage = round(a.reward - fmean(b.reward for b in group), 5)
    return attempts


def rloo(attempts: list[Attempt]) -> list[Attempt]:
    """Reward less the mean of the others of the group."""
    for group in map(_scored, groups(attempts)):
        for a in group:
            others = [b.reward for b in group if b is not a]
            a.advantage = round(a.reward - fmean(others), 5) if others else 0.0
    return attempts


def whole_batch(attempts: list[Attempt]) -> list[Attempt]:
    """REINFORCE++: normalised over all rewards of the step."""
    for step in sorted({a.step for a in attempts}):
        batch = _scored([a for a in attempts if a.step == step])
        mean, spread = fmean(a.reward for a in batch), pstdev(a.reward for a in batch)
        for a in batch:
            a.advantage = round((a.reward - mean) / (spread + 1e-8), 5)
    return attempts


def from_values(rng: Random, attempts: list[Attempt], unrest: float = 0.04) -> list[Attempt]:
    """PPO: reward less the critic's value, with what GAE over tokens leaves of unrest."""
    for a in attempts:
        a.advantage = round(a.reward - a.extra["value"] + rng.gauss(0, unrest), 5)
    return attempts
