"""Advantages, computed in place from the rewards of attempts."""

import statistics
from collections.abc import Sequence

from benchmarks.foreign.thirtyfifth.course import Try, by_group, by_step


def _rewarded(tries: Sequence[Try]) -> list[Try]:
    return [one for one in tries if one.reward is not None]


def grpo(tries: Sequence[Try]) -> None:
    """Centred on the group, divided by its sample standard deviation."""
    for group in by_group(_rewarded(tries)):
        rewards = [one.reward or 0.0 for one in group]
        mean = statistics.fmean(rewards)
        spread = statistics.stdev(rewards) if len(rewards) > 1 else 0.0
        for one, reward in zip(group, rewards, strict=True):
            one.advantage = round((reward - mean) / (spread + 1e-6), 6)


def dr_grpo(tries: Sequence[Try]) -> None:
    """Centred on the group alone."""
    for group in by_group(_rewarded(tries)):
        mean = statistics.fmean(one.reward or 0.0 for one in group)
        for one in group:
            one.advantage = round((one.reward or 0.0) - mean, 6)


def rloo(tries: Sequence[Try]) -> None:
    """Against the mean of the others of the group."""
    for group in by_group(_rewarded(tries)):
        total = sum(one.reward or 0.0 for one in group)
        for one in group:
            own = one.reward or 0.0
            one.advantage = round(own - (total - own) / max(1, len(group) - 1), 6)


def reinforce_pp(tries: Sequence[Try]) -> None:
    """REINFORCE++: standardised over the batch of a step."""
    for step in by_step(_rewarded(tries)):
        rewards = [one.reward or 0.0 for one in step]
        mean, spread = statistics.fmean(rewards), statistics.pstdev(rewards)
        for one, reward in zip(step, rewards, strict=True):
            one.advantage = round((reward - mean) / (spread + 1e-8), 6)


def ppo(tries: Sequence[Try], value: str = "value") -> None:
    """PPO: reward minus the critic's value, which stands in `more`, whitened over the batch of a step."""
    for step in by_step(_rewarded(tries)):
        raw = [(one.reward or 0.0) - one.more[value] for one in step]
        mean, spread = statistics.fmean(raw), statistics.pstdev(raw)
        for one, own in zip(step, raw, strict=True):
            one.advantage = round((own - mean) / (spread + 1e-8), 6)
