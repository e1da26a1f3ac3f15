"""Advantages of the usual estimators."""

from statistics import fmean, pstdev

from benchmarks.foreign.eleventh.runs import Episode, groups_of


def _credited(episodes: list[Episode]) -> list[list[Episode]]:
    graded = [e for e in episodes if e.reward is not None and e.split == "train"]
    for e in graded:
        e.in_loss = True
    return groups_of(graded)


def grpo(episodes: list[Episode]) -> list[Episode]:
    """Standardised within the group."""
    for group in _credited(episodes):
        rewards = [e.reward for e in group]
        mean, spread = fmean(rewards), pstdev(rewards)
        for e in group:
            e.advantage = round((e.reward - mean) / (spread + 1e-6), 5) if spread > 1e-9 else 0.0
    return episodes


def centred(episodes: list[Episode]) -> list[Episode]:
    """Less the mean of the group."""
    for group in _credited(episodes):
        mean = fmean(e.reward for e in group)
        for e in group:
            e.advantage = round(e.reward - mean, 5)
    return episodes


def rloo(episodes: list[Episode]) -> list[Episode]:
    """Less the mean of the others of the group."""
    for group in _credited(episodes):
        total = sum(e.reward for e in group)
        for e in group:
            others = (total - e.reward) / (len(group) - 1) if len(group) > 1 else e.reward
            e.advantage = round(e.reward - others, 5)
    return episodes
