"""Advantages as trainers estimate them from the rewards of attempts."""

from random import Random
from statistics import fmean, pstdev, stdev

from benchmarks.foreign.sixth.runs import Attempt, grouped


def by_group(attempts: list[Attempt], epsilon: float = 1e-4) -> list[Attempt]:
    """GRPO: the reward less the group's mean, by its deviation."""
    for group in grouped(attempts):
        rewards = [one.reward for one in group]
        mean, spread = fmean(rewards), stdev(rewards)
        for one in group:
            one.advantage = round((one.reward - mean) / (spread + epsilon), 5)
    return attempts


def leave_one_out(attempts: list[Attempt]) -> list[Attempt]:
    """RLOO: the reward less the mean of the others of its group."""
    for group in grouped(attempts):
        total = sum(one.reward for one in group)
        for one in group:
            one.advantage = round(one.reward - (total - one.reward) / (len(group) - 1), 5)
    return attempts


def by_batch(attempts: list[Attempt]) -> list[Attempt]:
    """REINFORCE++: the reward less the mean of the step's batch, by its deviation."""
    batches: dict[int, list[Attempt]] = {}
    for one in attempts:
        batches.setdefault(one.step, []).append(one)
    for batch in batches.values():
        mean, spread = fmean(one.reward for one in batch), pstdev(one.reward for one in batch)
        for one in batch:
            one.advantage = round((one.reward - mean) / (spread + 1e-8), 5)
    return attempts


def by_critic(rng: Random, attempts: list[Attempt]) -> list[Attempt]:
    """PPO: the reward less a critic's value of the prompt, which gets better; whitened in each step."""
    last = max(one.step for one in attempts)
    for group in grouped(attempts):
        known = fmean(one.reward for one in group)
        trust = 0.3 + 0.5 * group[0].step / max(last, 1)
        for one in group:
            value = trust * known + (1 - trust) * 0.45 + rng.gauss(0, 0.05)
            one.columns["values"] = round(value, 4)
            one.advantage = one.reward - value
    for step in range(last + 1):
        batch = [one for one in attempts if one.step == step]
        mean, spread = fmean(one.advantage for one in batch), pstdev(one.advantage for one in batch)
        for one in batch:
            one.advantage = round((one.advantage - mean) / (spread + 1e-8), 5)
    return attempts
