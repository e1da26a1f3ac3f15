"""Advantages of episodes by the usual estimators."""

import statistics
from collections import defaultdict
from collections.abc import Callable

from benchmarks.foreign.seventh.rollouts import Episode

_NO_SPREAD = 1e-9
Rule = Callable[[list[float]], list[float]]


def grpo(rewards: list[float]) -> list[float]:
    """GRPO: the reward less the group's mean, by its deviation."""
    mean, spread = statistics.fmean(rewards), statistics.stdev(rewards)
    if spread < _NO_SPREAD:
        return [0.0] * len(rewards)
    return [(r - mean) / (spread + 1e-6) for r in rewards]


def dr_grpo(rewards: list[float]) -> list[float]:
    """Dr. GRPO: the reward less the group's mean."""
    mean = statistics.fmean(rewards)
    return [r - mean for r in rewards]


def rloo(rewards: list[float]) -> list[float]:
    """RLOO: the reward less the mean of the others of its group."""
    total, others = sum(rewards), len(rewards) - 1
    return [r - (total - r) / others for r in rewards]


def groups(episodes: list[Episode]) -> dict[str, list[Episode]]:
    """Return the episodes by group."""
    found: dict[str, list[Episode]] = defaultdict(list)
    for episode in episodes:
        found[episode.group].append(episode)
    return found


def rewarded(episodes: list[Episode]) -> tuple[list[Episode], list[float]]:
    """Return the episodes that have a reward, and their rewards."""
    kept = [e for e in episodes if e.reward is not None]
    return kept, [e.reward for e in kept if e.reward is not None]


def credit(episodes: list[Episode], rule: Rule = grpo, **stated: object) -> list[Episode]:
    """Take advantages within each group and note what is stated; attempts without a reward stay out."""
    for members in groups(episodes).values():
        kept, rewards = rewarded(members)
        values = rule(rewards) if len(kept) > 1 else [0.0] * len(kept)
        for episode, value in zip(kept, values, strict=True):
            episode.advantage = value
        for episode in members:
            episode.extra.update(stated)
    return episodes


def credit_batch(episodes: list[Episode], **stated: object) -> list[Episode]:
    """REINFORCE++: the reward less the mean of the step's batch, by its deviation."""
    for step in sorted({e.step for e in episodes}):
        batch, rewards = rewarded([e for e in episodes if e.step == step])
        for episode, value in zip(batch, grpo(rewards), strict=True):
            episode.advantage = value
            episode.extra.update(stated)
    return episodes


def drop_uniform(episodes: list[Episode]) -> list[Episode]:
    """DAPO: take groups of one reward out of the loss."""
    for members in groups(episodes).values():
        if len({e.reward for e in members}) < 2:
            for episode in members:
                episode.in_loss = False
    return episodes


def unused(episodes: list[Episode]) -> list[Episode]:
    """Mark attempts that no training consumes, as of a validation."""
    for episode in episodes:
        episode.advantage = episode.in_loss = None
    return episodes
