"""Advantages as trainers compute them."""

import statistics
from collections import defaultdict
from collections.abc import Callable

from benchmarks.foreign.nineteenth.core import Try

Estimate = Callable[[list[float]], list[float]]


def grpo(rewards: list[float]) -> list[float]:
    """Centre on the group and divide by its spread."""
    mean = statistics.fmean(rewards)
    spread = statistics.stdev(rewards) if len(rewards) > 1 else 0.0
    return [(r - mean) / (spread + 1e-4) for r in rewards]


def dr_grpo(rewards: list[float]) -> list[float]:
    """Centre on the group alone."""
    mean = statistics.fmean(rewards)
    return [r - mean for r in rewards]


def rloo(rewards: list[float]) -> list[float]:
    """Centre on the mean of the others."""
    if len(rewards) < 2:
        return [0.0] * len(rewards)
    return [r - (sum(rewards) - r) / (len(rewards) - 1) for r in rewards]


def credit(tries: list[Try], how: Estimate, whole_batch: bool = False) -> list[Try]:
    """Set the advantages of training rows, by group, or over the batch of a step (REINFORCE++)."""
    groups = defaultdict(list)
    for t in tries:
        if t.split == "train" and t.reward is not None:
            groups[t.step if whole_batch else t.group].append(t)
    for group in groups.values():
        for t, value in zip(group, how([t.reward or 0.0 for t in group]), strict=True):
            t.advantage = round(value, 5)
    return tries


def grouped(tries: list[Try]) -> list[list[Try]]:
    """Give the groups of a run in order."""
    groups: dict[tuple[int, str], list[Try]] = defaultdict(list)
    for t in tries:
        groups[t.group].append(t)
    return list(groups.values())
