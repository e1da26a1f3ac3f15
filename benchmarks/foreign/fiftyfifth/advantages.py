"""Advantages of the estimators that these teams use, set on attempts."""

import statistics
from collections.abc import Iterable

from benchmarks.foreign.fiftyfifth.talk import Attempt


def by_group(attempts: Iterable[Attempt]) -> list[list[Attempt]]:
    """Attempts of each group, in order of appearance."""
    groups: dict[str, list[Attempt]] = {}
    for one in attempts:
        groups.setdefault(one.group, []).append(one)
    return list(groups.values())


def grpo(attempts: list[Attempt]) -> list[Attempt]:
    """Centred on the group, divided by its sample standard deviation."""
    for group in by_group(a for a in attempts if a.split == "train" and a.reward is not None):
        rewards = [one.reward or 0.0 for one in group]
        mean, spread = statistics.fmean(rewards), statistics.stdev(rewards) if len(rewards) > 1 else 0.0
        for one, reward in zip(group, rewards, strict=True):
            one.advantage = round((reward - mean) / (spread + 1e-4), 6)
    return attempts


def centred(attempts: list[Attempt]) -> list[Attempt]:
    """Dr. GRPO: centred on the group."""
    for group in by_group(a for a in attempts if a.split == "train" and a.reward is not None):
        rewards = [one.reward or 0.0 for one in group]
        mean = statistics.fmean(rewards)
        for one, reward in zip(group, rewards, strict=True):
            one.advantage = round(reward - mean, 6)
    return attempts


def leave_one_out(attempts: list[Attempt]) -> list[Attempt]:
    """RLOO: against the mean of the others of the group."""
    centred(attempts)
    for group in by_group(a for a in attempts if a.advantage is not None):
        for one in group:
            one.advantage = round((one.advantage or 0.0) * len(group) / max(1, len(group) - 1), 6)
    return attempts
