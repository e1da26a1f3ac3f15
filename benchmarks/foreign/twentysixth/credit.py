"""Advantages as the usual estimators compute them."""

from collections import defaultdict
from random import Random
from statistics import fmean, pstdev

from benchmarks.foreign.twentysixth.attempts import Attempt, chance


def groups(attempts: list[Attempt]) -> list[list[Attempt]]:
    """Attempts at one problem in one step."""
    found: dict[tuple, list[Attempt]] = defaultdict(list)
    for a in attempts:
        if a.reward is not None and a.split == "train":
            found[a.group].append(a)
    return list(found.values())


def _rewards(attempts: list[Attempt]) -> list[float]:
    return [a.reward for a in attempts if a.reward is not None]


def grpo(attempts: list[Attempt], scale: bool = True) -> list[Attempt]:
    """Reward less the mean of its group, over the deviation; without the scale it is Dr. GRPO."""
    for members in groups(attempts):
        rewards = _rewards(members)
        middle, spread = fmean(rewards), pstdev(rewards) if scale else 1.0
        for a, reward in zip(members, rewards, strict=True):
            a.advantage = round((reward - middle) / (spread + 1e-6), 5)
    return attempts


def rloo(attempts: list[Attempt]) -> list[Attempt]:
    """Reward less the mean of the others of its group."""
    for members in groups(attempts):
        rewards = _rewards(members)
        total, others = sum(rewards), max(1, len(members) - 1)
        for a, reward in zip(members, rewards, strict=True):
            a.advantage = round(reward - (total - reward) / others, 5)
    return attempts


def reinforce_pp(attempts: list[Attempt]) -> list[Attempt]:
    """REINFORCE++: rewards normalised over the batch of a step."""
    by_step: dict[int, list[Attempt]] = defaultdict(list)
    for a in attempts:
        if a.reward is not None and a.split == "train":
            by_step[a.step].append(a)
    for members in by_step.values():
        rewards = _rewards(members)
        for a, reward in zip(members, rewards, strict=True):
            a.advantage = round((reward - fmean(rewards)) / (pstdev(rewards) + 1e-6), 5)
    return attempts


def ppo(rng: Random, attempts: list[Attempt], start: float, gain: float, low: float = 0.0) -> list[Attempt]:
    """A critic that follows the policy: its value of the prompt, and the reward less that value."""
    for a in attempts:
        assert a.reward is not None
        expected = chance(start + gain * a.progress + a.task.ease * a.progress)
        value = low + (1 - low) * expected + rng.gauss(0, 0.09)
        a.extra["value"] = round(value, 4)
        a.extra["return"] = a.reward
        a.advantage = round(a.reward - value, 4)
    return attempts


def drop_uniform(attempts: list[Attempt]) -> list[Attempt]:
    """DAPO's filter: groups of one reward stay in the log and out of the loss."""
    for members in groups(attempts):
        if len({a.reward for a in members}) == 1:
            for a in members:
                a.in_loss = False
    return attempts
