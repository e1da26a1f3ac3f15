"""Advantages of the estimators that these systems use."""

import statistics
from collections.abc import Callable

from benchmarks.foreign.sixtyfourth.policy import Attempt

Estimator = Callable[[list[float]], list[float]]


def grpo(rewards: list[float]) -> list[float]:
    """Centred, and divided by the sample standard deviation."""
    mean, spread = statistics.fmean(rewards), statistics.stdev(rewards) if len(rewards) > 1 else 0.0
    return [round((reward - mean) / (spread + 1e-4), 5) for reward in rewards]


def centred(rewards: list[float]) -> list[float]:
    """Dr. GRPO: centred on the group."""
    mean = statistics.fmean(rewards)
    return [round(reward - mean, 5) for reward in rewards]


def leave_one_out(rewards: list[float]) -> list[float]:
    """RLOO: against the mean of the others."""
    mean, n = statistics.fmean(rewards), len(rewards)
    return [round((reward - mean) * n / (n - 1), 5) for reward in rewards]


def by_group(attempts: list[Attempt]) -> dict[str, list[Attempt]]:
    """The attempts of each group."""
    groups: dict[str, list[Attempt]] = {}
    for one in attempts:
        groups.setdefault(one.group, []).append(one)
    return groups


def assign(attempts: list[Attempt], estimator: Estimator = grpo) -> list[Attempt]:
    """Give every attempt the advantage that its group's rewards say."""
    for members in by_group(attempts).values():
        for one, value in zip(members, estimator([m.reward for m in members]), strict=True):
            one.advantage = value
    return attempts
