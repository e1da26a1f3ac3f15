"""Advantages: of a group, of a batch, of a critic."""

from collections import defaultdict
from collections.abc import Iterable
from random import Random
from statistics import fmean, pstdev, stdev

from benchmarks.foreign.twentyfirst.rollouts import Try


def groups(tries: Iterable[Try]) -> list[list[Try]]:
    """Rewarded training tries at one task in one step."""
    found: dict[tuple[int, str], list[Try]] = defaultdict(list)
    for one in tries:
        if one.split == "train" and one.reward is not None:
            found[one.step, one.task.id].append(one)
    return list(found.values())


def steps(tries: Iterable[Try]) -> list[list[Try]]:
    """Rewarded training tries of one step."""
    found: dict[int, list[Try]] = defaultdict(list)
    for one in tries:
        if one.split == "train" and one.reward is not None:
            found[one.step].append(one)
    return list(found.values())


def grpo(tries: list[Try]) -> list[Try]:
    """Standardised in the group."""
    for group in groups(tries):
        rewards = [one.reward for one in group]
        spread = stdev(rewards) if len(group) > 1 else 0.0
        for one in group:
            one.advantage = round((one.reward - fmean(rewards)) / (spread + 1e-6), 5)
    return tries


def dr_grpo(tries: list[Try]) -> list[Try]:
    """Less the group's mean."""
    for group in groups(tries):
        mean = fmean(one.reward for one in group)
        for one in group:
            one.advantage = round(one.reward - mean, 5)
    return tries


def rloo(tries: list[Try]) -> list[Try]:
    """Less the mean of the others."""
    for group in groups(tries):
        total = sum(one.reward for one in group)
        for one in group:
            others = (total - one.reward) / (len(group) - 1) if len(group) > 1 else one.reward
            one.advantage = round(one.reward - others, 5)
    return tries


def reinforce_pp(tries: list[Try]) -> list[Try]:
    """Standardised in the batch."""
    for batch in steps(tries):
        rewards = [one.reward for one in batch]
        for one in batch:
            one.advantage = round((one.reward - fmean(rewards)) / (pstdev(rewards) + 1e-8), 5)
    return tries


def critic(rng: Random, tries: list[Try], blur: float = 0.3) -> list[Try]:
    """Less the value of a critic that learns the tasks' difficulty."""
    for one in tries:
        noise = rng.gauss(0, blur * (1.2 - one.share))
        value = 0.35 + 0.4 * one.share - 0.06 * one.task.hard + noise
        one.extra["value"] = round(value, 4)
        one.advantage = round(one.reward - one.extra["value"], 4)
    return tries
