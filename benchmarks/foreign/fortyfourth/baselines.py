"""Advantages from rewards, as open trainers compute them."""

import statistics
from collections.abc import Callable, Iterable

from benchmarks.foreign.fortyfourth.policy import Sample

Rule = Callable[[list[float]], list[float]]


def grpo(rewards: list[float]) -> list[float]:
    """Centred on the group, divided by its sample standard deviation."""
    mean = sum(rewards) / len(rewards)
    spread = statistics.stdev(rewards) if len(rewards) > 1 else 0.0
    return [(r - mean) / (spread + 1e-4) for r in rewards]


def centred(rewards: list[float]) -> list[float]:
    """Centred on the group."""
    mean = sum(rewards) / len(rewards)
    return [r - mean for r in rewards]


def leave_one_out(rewards: list[float]) -> list[float]:
    """Against the mean of the others of the group."""
    n, total = len(rewards), sum(rewards)
    return [r - (total - r) / (n - 1) for r in rewards]


def standardised(rewards: list[float]) -> list[float]:
    """Centred and divided by the standard deviation of the whole."""
    mean = sum(rewards) / len(rewards)
    spread = statistics.pstdev(rewards)
    return [(r - mean) / (spread + 1e-8) for r in rewards]


def _assign(parts: Iterable[list[Sample]], rule: Rule) -> None:
    for part in parts:
        for sample, value in zip(part, rule([s.reward for s in part]), strict=True):
            sample.advantage = round(value, 5)


def groups(samples: list[Sample]) -> list[list[Sample]]:
    """Attempts by group, in the order in which the groups come."""
    found: dict[tuple, list[Sample]] = {}
    for sample in samples:
        found.setdefault(sample.group, []).append(sample)
    return list(found.values())


def by_group(samples: list[Sample], rule: Rule = grpo) -> None:
    """Set the advantages of training rows within their groups."""
    _assign(groups([s for s in samples if s.split == "train"]), rule)


def by_step(samples: list[Sample], rule: Rule = standardised) -> None:
    """Set the advantages of training rows over their whole step."""
    found: dict[int, list[Sample]] = {}
    for sample in samples:
        if sample.split == "train":
            found.setdefault(sample.step, []).append(sample)
    _assign(found.values(), rule)
