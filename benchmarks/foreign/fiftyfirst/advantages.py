"""Advantages as the trainers of this part compute them from the rewards of a group."""

import math
from collections.abc import Callable

from benchmarks.foreign.fiftyfirst.policy import Attempt


def grpo(rewards: list[float]) -> list[float]:
    """Centred and divided by the sample standard deviation."""
    mean = sum(rewards) / len(rewards)
    spread = math.sqrt(sum((r - mean) ** 2 for r in rewards) / max(1, len(rewards) - 1))
    return [(r - mean) / (spread + 1e-4) for r in rewards]


def centred(rewards: list[float]) -> list[float]:
    """Dr. GRPO: minus the group's mean."""
    mean = sum(rewards) / len(rewards)
    return [r - mean for r in rewards]


def leave_one_out(rewards: list[float]) -> list[float]:
    """RLOO: minus the mean of the others."""
    return [value * len(rewards) / max(1, len(rewards) - 1) for value in centred(rewards)]


def groups(attempts: list[Attempt]) -> list[list[Attempt]]:
    """Attempts by their group, in order."""
    found: dict[str, list[Attempt]] = {}
    for attempt in attempts:
        found.setdefault(attempt.group, []).append(attempt)
    return list(found.values())


def fill(attempts: list[Attempt], estimator: Callable[[list[float]], list[float]] = grpo) -> list[Attempt]:
    """Set the advantages of all training attempts."""
    for group in groups([a for a in attempts if a.split == "train"]):
        for attempt, value in zip(group, estimator([a.reward for a in group]), strict=True):
            attempt.advantage = round(value, 6)
    return attempts
