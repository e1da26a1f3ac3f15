"""Advantages as trainers compute them."""

from collections.abc import Callable
from statistics import fmean, pstdev

from benchmarks.foreign.sixteenth.attempts import Try

Estimate = Callable[[list[float]], list[float]]


def grpo(rewards: list[float]) -> list[float]:
    """Less the mean, over the spread."""
    mean, spread = fmean(rewards), pstdev(rewards)
    return [(reward - mean) / (spread + 1e-6) for reward in rewards]


def dr_grpo(rewards: list[float]) -> list[float]:
    """Less the mean."""
    mean = fmean(rewards)
    return [reward - mean for reward in rewards]


def rloo(rewards: list[float]) -> list[float]:
    """Less the mean of the others."""
    if len(rewards) == 1:
        return [0.0]
    total = sum(rewards)
    return [reward - (total - reward) / (len(rewards) - 1) for reward in rewards]


def by(tries: list[Try], key: Callable[[Try], object]) -> list[list[Try]]:
    """The attempts that share a key."""
    parts: dict[object, list[Try]] = {}
    for one in tries:
        parts.setdefault(key(one), []).append(one)
    return list(parts.values())


def groups(tries: list[Try]) -> list[list[Try]]:
    """The attempts at one problem in one step."""
    return by(tries, lambda one: one.group)


def fill(part: list[Try], estimate: Estimate) -> None:
    """Advantages of attempts that are compared with each other."""
    rewarded = [one for one in part if one.reward is not None]
    if not rewarded:
        return
    for one, value in zip(rewarded, estimate([one.reward for one in rewarded]), strict=True):
        one.advantage = round(value, 5)


def credit(tries: list[Try], estimate: Estimate = grpo) -> list[Try]:
    """Advantages within groups."""
    for part in groups([one for one in tries if one.split == "train"]):
        fill(part, estimate)
    return tries


def whitened(tries: list[Try]) -> list[Try]:
    """REINFORCE++: rewards of a step, whitened over the whole batch."""
    for part in by(tries, lambda one: one.step):
        fill(part, grpo)
    return tries
