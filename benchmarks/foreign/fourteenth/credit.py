"""Advantages as trainers compute them from rewards."""

from collections import defaultdict
from collections.abc import Callable
from random import Random
from statistics import fmean, pstdev, stdev

from benchmarks.foreign.fourteenth.course import Episode, groups_of


def grpo(rewards: list[float]) -> list[float]:
    """Centred by the group and divided by its deviation."""
    spread = stdev(rewards) if len(rewards) > 1 else 0.0
    return [(r - fmean(rewards)) / (spread + 1e-6) for r in rewards]


def centred(rewards: list[float]) -> list[float]:
    """Centred by the group alone (Dr. GRPO)."""
    return [r - fmean(rewards) for r in rewards]


def rloo(rewards: list[float]) -> list[float]:
    """Against the mean of the other attempts."""
    total, n = sum(rewards), len(rewards)
    return [r - (total - r) / (n - 1) for r in rewards] if n > 1 else [0.0 for _ in rewards]


def by_group(episodes: list[Episode], rule: Callable[[list[float]], list[float]]) -> list[Episode]:
    """Give the training attempts that have a reward their advantage within the group."""
    for group in groups_of([e for e in episodes if e.split == "train" and e.reward is not None]):
        for e, value in zip(group, rule([e.reward or 0.0 for e in group]), strict=True):
            e.advantage = round(value, 4)
    return episodes


def by_batch(episodes: list[Episode]) -> list[Episode]:
    """Whiten over the whole step, as REINFORCE++ does."""
    steps: dict[int, list[Episode]] = defaultdict(list)
    for e in episodes:
        steps[e.step].append(e)
    for batch in steps.values():
        rewards = [e.reward or 0.0 for e in batch]
        mean, spread = fmean(rewards), pstdev(rewards)
        for e in batch:
            e.advantage = round(((e.reward or 0.0) - mean) / (spread + 1e-8), 4)
    return episodes


def by_critic(rng: Random, episodes: list[Episode], value: Callable[[Episode], float]) -> list[Episode]:
    """Reward less the critic's value of the prompt, as PPO without discount has it on the first token."""
    for e in episodes:
        guess = value(e)
        e.columns["value"] = round(guess, 4)
        e.columns["return"] = round(e.reward or 0.0, 4)
        e.advantage = round((e.reward or 0.0) - guess + rng.gauss(0, 0.004), 4)
    return episodes
