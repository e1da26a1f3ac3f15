"""Advantages of a group from its rewards, and how rows get them."""

import statistics
from collections import defaultdict
from collections.abc import Callable, Sequence

Estimate = Callable[[Sequence[float]], list[float]]


def grpo(rewards: Sequence[float]) -> list[float]:
    """Centred and divided by the sample standard deviation."""
    mean = statistics.fmean(rewards)
    spread = statistics.stdev(rewards) if len(rewards) > 1 else 0.0
    return [(reward - mean) / (spread + 1e-4) for reward in rewards]


def centred(rewards: Sequence[float]) -> list[float]:
    """Centred on the group."""
    mean = statistics.fmean(rewards)
    return [reward - mean for reward in rewards]


def leave_one_out(rewards: Sequence[float]) -> list[float]:
    """Against the mean of the others."""
    count = len(rewards)
    return [value * count / max(1, count - 1) for value in centred(rewards)]


def standardised(values: Sequence[float]) -> list[float]:
    """Centred and divided by the standard deviation of all values."""
    mean, spread = statistics.fmean(values), statistics.pstdev(values)
    return [(value - mean) / (spread + 1e-8) for value in values]


def fill(rows: list[dict], group: Callable[[dict], object], reward: Callable[[dict], float], how: Estimate) -> None:
    """Write `advantage` into the rows, group by group."""
    members: dict[object, list[dict]] = defaultdict(list)
    for row in rows:
        members[group(row)].append(row)
    for rows_of_group in members.values():
        for row, value in zip(rows_of_group, how([reward(one) for one in rows_of_group]), strict=True):
            row["advantage"] = round(value, 5)
