"""Advantages as trainers compute them."""

from collections import defaultdict
from collections.abc import Callable
from statistics import mean, pstdev

from benchmarks.foreign.twentieth.episodes import Episode

Estimate = Callable[[list[float]], list[float]]


def grpo(rewards: list[float]) -> list[float]:
    """Centre and scale within the group."""
    centre, spread = mean(rewards), pstdev(rewards)
    return [(r - centre) / (spread + 1e-6) for r in rewards]


def centred(rewards: list[float]) -> list[float]:
    """Centre within the group (Dr. GRPO)."""
    centre = mean(rewards)
    return [r - centre for r in rewards]


def rloo(rewards: list[float]) -> list[float]:
    """Leave one out."""
    others = max(1, len(rewards) - 1)
    return [r - (sum(rewards) - r) / others for r in rewards]


def grouped(episodes: list[Episode]) -> list[list[Episode]]:
    """Give the attempts at one problem in one step together."""
    groups: dict[tuple, list[Episode]] = defaultdict(list)
    for e in episodes:
        groups[e.group].append(e)
    return list(groups.values())


def credit(episodes: list[Episode], estimate: Estimate) -> list[Episode]:
    """Set the advantages of training rows that have a reward."""
    for group in grouped([e for e in episodes if e.split == "train" and e.reward is not None]):
        for e, value in zip(group, estimate([e.reward or 0.0 for e in group]), strict=True):
            e.advantage = round(value, 4) + 0.0
    return episodes


def batch_whitened(episodes: list[Episode], baseline: Callable[[Episode], float]) -> list[Episode]:
    """Subtract a baseline, then normalise over the batch of a step (REINFORCE++, PPO at the last token)."""
    steps: dict[int, list[Episode]] = defaultdict(list)
    for e in episodes:
        if e.split == "train" and e.reward is not None:
            steps[e.step].append(e)
    for batch in steps.values():
        raw = [(e.reward or 0.0) - baseline(e) for e in batch]
        centre, spread = mean(raw), pstdev(raw) + 1e-6
        for e, value in zip(batch, raw, strict=True):
            e.advantage = round((value - centre) / spread, 4)
    return episodes


def group_means(episodes: list[Episode]) -> Callable[[Episode], float]:
    """Give the mean reward of an episode's group, as a baseline."""
    means = {group[0].group: mean(e.reward or 0.0 for e in group) for group in grouped(episodes)}
    return lambda e: means[e.group]
