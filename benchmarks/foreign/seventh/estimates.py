"""Advantages of episodes by the usual estimators."""

import statistics
from collections import defaultdict
from collections.abc import Callable

from benchmarks.foreign.seventh.rollouts import Episode

Rule = Callable[[list[float]], list[float]]


def grpo(rewards: list[float]) -> list[float]:
    """Distance from the group's mean in sample standard deviations."""
    mean, spread = statistics.fmean(rewards), statistics.stdev(rewards)
    if spread < 1e-9:
        return [0.0] * len(rewards)
    return [(r - mean) / (spread + 1e-6) for r in rewards]


def dr_grpo(rewards: list[float]) -> list[float]:
    """Distance from the group's mean."""
    mean = statistics.fmean(rewards)
    return [r - mean for r in rewards]


def rloo(rewards: list[float]) -> list[float]:
    """Distance from the mean of the others."""
    total, others = sum(rewards), len(rewards) - 1
    return [r - (total - r) / others for r in rewards]


def groups(episodes: list[Episode]) -> dict[str, list[Episode]]:
    """Episodes by group."""
    found: dict[str, list[Episode]] = defaultdict(list)
    for episode in episodes:
        found[episode.group].append(episode)
    return found


def credit(episodes: list[Episode], rule: Rule = grpo, **stated: object) -> list[Episode]:
    """Advantages within each group; attempts that an infrastructure error ended stay out."""
    for members in groups(episodes).values():
        kept = [e for e in members if e.reward is not None]
        rewards = [e.reward for e in kept]
        values = rule(rewards) if len(kept) > 1 else [0.0] * len(kept)
        for episode, value in zip(kept, values, strict=True):
            episode.advantage = value
        for episode in members:
            episode.extra.update(stated)
    return episodes


def credit_batch(episodes: list[Episode], **stated: object) -> list[Episode]:
    """REINFORCE++: distance from the step's mean in the step's standard deviations."""
    for step in sorted({e.step for e in episodes}):
        batch = [e for e in episodes if e.step == step and e.reward is not None]
        for episode, value in zip(batch, grpo([e.reward for e in batch]), strict=True):
            episode.advantage = value
            episode.extra.update(stated)
    return episodes


def drop_uniform(episodes: list[Episode]) -> list[Episode]:
    """DAPO: groups of one reward do not reach the loss."""
    for members in groups(episodes).values():
        if len({e.reward for e in members}) < 2:
            for episode in members:
                episode.in_loss = False
    return episodes


def unused(episodes: list[Episode]) -> list[Episode]:
    """Attempts that no training consumes, as of a validation."""
    for episode in episodes:
        episode.advantage = episode.in_loss = None
    return episodes
