"""Advantages as open trainers compute them from the rewards of a group."""

import statistics
from collections.abc import Sequence

from benchmarks.foreign.sixtieth.policy import Attempt, by_group


def grpo(attempts: Sequence[Attempt]) -> None:
    """Centred on the group and divided by its sample standard deviation."""
    for group in by_group(attempts):
        rewards = [a.reward for a in group]
        mean, spread = statistics.fmean(rewards), statistics.stdev(rewards)
        for a in group:
            a.advantage = (a.reward - mean) / (spread + 1e-4)


def centred(attempts: Sequence[Attempt]) -> None:
    """Dr. GRPO: centred on the group."""
    for group in by_group(attempts):
        mean = statistics.fmean(a.reward for a in group)
        for a in group:
            a.advantage = a.reward - mean


def leave_one_out(attempts: Sequence[Attempt]) -> None:
    """RLOO: against the mean of the others."""
    for group in by_group(attempts):
        total = sum(a.reward for a in group)
        for a in group:
            a.advantage = a.reward - (total - a.reward) / (len(group) - 1)
