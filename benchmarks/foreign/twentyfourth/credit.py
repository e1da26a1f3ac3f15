"""Advantages, as trainers compute them."""

from statistics import fmean, stdev

from benchmarks.foreign.twentyfourth.run import Try, by_group


def _known(tries: list[Try]) -> list[Try]:
    return [t for t in tries if t.reward is not None]


def _rewards(tries: list[Try]) -> list[float]:
    return [t.reward for t in tries if t.reward is not None]


def _scale(values: list[float]) -> float:
    return stdev(values) if len(values) > 1 else 0.0


def grpo(tries: list[Try], scaled: bool = True) -> list[Try]:
    """Rewards less the mean of their group, over its deviation unless left unscaled."""
    for group in by_group(_known(tries)):
        rewards = _rewards(group)
        below = _scale(rewards) + 1e-6 if scaled else 1.0
        for t, reward in zip(group, rewards, strict=True):
            t.advantage = round((reward - fmean(rewards)) / below, 6) + 0.0
    return tries


def rloo(tries: list[Try]) -> list[Try]:
    """Rewards less the mean of the others."""
    for group in by_group(_known(tries)):
        rewards = _rewards(group)
        total, count = sum(rewards), len(group)
        for t, reward in zip(group, rewards, strict=True):
            t.advantage = round(reward - (total - reward) / max(1, count - 1), 6) + 0.0
    return tries


def plus_plus(tries: list[Try]) -> list[Try]:
    """REINFORCE++: rewards whitened over the batch of a step."""
    steps: dict[int, list[Try]] = {}
    for t in _known(tries):
        steps.setdefault(t.step, []).append(t)
    for batch in steps.values():
        rewards = _rewards(batch)
        middle, below = fmean(rewards), _scale(rewards) + 1e-8
        for t, reward in zip(batch, rewards, strict=True):
            t.advantage = round((reward - middle) / below, 6) + 0.0
    return tries


def terms(tries: list[Try], **weights: float) -> list[Try]:
    """Rewards from their terms, weighted."""
    for t in tries:
        t.reward = round(sum(weights.get(name, 1.0) * value for name, value in t.terms.items()), 6)
    return tries
