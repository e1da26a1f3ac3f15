"""Advantages from rewards, by estimator."""

from collections.abc import Callable
from statistics import fmean, pstdev

from benchmarks.foreign.twentyninth.rollouts import Episode

Estimate = Callable[[list[float]], list[float]]


def grpo(rewards: list[float]) -> list[float]:
    """Less the mean of the group, by its deviation."""
    mean, spread = fmean(rewards), pstdev(rewards)
    return [(r - mean) / (spread + 1e-6) for r in rewards]


def dr_grpo(rewards: list[float]) -> list[float]:
    """Less the mean of the group."""
    mean = fmean(rewards)
    return [r - mean for r in rewards]


def rloo(rewards: list[float]) -> list[float]:
    """Less the mean of the others."""
    if len(rewards) < 2:
        return [0.0 for _ in rewards]
    total, others = sum(rewards), len(rewards) - 1
    return [r - (total - r) / others for r in rewards]


def grouped(episodes: list[Episode]) -> list[list[Episode]]:
    """The groups in the order of their first attempts."""
    groups: dict[str, list[Episode]] = {}
    for e in episodes:
        groups.setdefault(e.group, []).append(e)
    return list(groups.values())


def _rewards(episodes: list[Episode]) -> list[float]:
    return [e.reward for e in episodes if e.reward is not None]


def credit(episodes: list[Episode], estimate: Estimate = grpo) -> list[Episode]:
    """Set advantages group by group; attempts without a reward take no part."""
    for group in grouped(episodes):
        scored = [e for e in group if e.reward is not None and e.split == "train"]
        if scored:
            for e, value in zip(scored, estimate(_rewards(scored)), strict=True):
                e.advantage = round(value, 5)
    return episodes


def credit_batch(episodes: list[Episode]) -> list[Episode]:
    """REINFORCE++: rewards scaled over the whole batch of the step, without a baseline of the group."""
    for step in {e.step for e in episodes}:
        batch = [e for e in episodes if e.step == step and e.reward is not None]
        rewards = _rewards(batch)
        mean, spread = fmean(rewards), pstdev(rewards)
        for e, reward in zip(batch, rewards, strict=True):
            e.advantage = round((reward - mean) / (spread + 1e-6), 5)
    return episodes


def drop_uniform(episodes: list[Episode]) -> list[Episode]:
    """Take groups of one reward out of the loss, as dynamic sampling does."""
    for group in grouped(episodes):
        if len({e.reward for e in group}) == 1:
            for e in group:
                e.in_loss = False
    return episodes
