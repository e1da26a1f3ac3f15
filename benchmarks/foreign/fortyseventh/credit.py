"""Advantages of a run's rows, by the estimator that its system uses."""

from collections import defaultdict
from collections.abc import Callable

import numpy as np

from benchmarks.foreign.estimators import Estimator, centred, grpo, leave_one_out, whole_batch
from benchmarks.foreign.fortyseventh.policy import Attempt

__all__ = ["by_step", "centred", "fill", "grpo", "leave_one_out", "terms", "whole_batch"]


def by_step(attempts: list[Attempt]) -> dict[int, list[Attempt]]:
    """The attempts of each step."""
    steps: dict[int, list[Attempt]] = defaultdict(list)
    for attempt in attempts:
        steps[attempt.step].append(attempt)
    return steps


def by_group(attempts: list[Attempt]) -> dict[str, list[Attempt]]:
    """The attempts of each group."""
    groups: dict[str, list[Attempt]] = defaultdict(list)
    for attempt in attempts:
        groups[attempt.group].append(attempt)
    return groups


def fill(attempts: list[Attempt], estimator: Estimator = grpo) -> list[Attempt]:
    """Write the advantage of each rewarded attempt that training consumed."""
    for batch in by_step(attempts).values():
        known = [a for a in batch if a.reward is not None and a.split == "train"]
        if not known:
            continue
        rewards = np.array([a.reward for a in known], dtype=float)
        groups = np.array([a.group for a in known])
        lengths = np.array([max(1, a.tokens) for a in known], dtype=float)
        values = estimator(rewards, groups, lengths, np.random.default_rng(0))
        for attempt, value in zip(known, values, strict=True):
            attempt.advantage = round(float(value), 6)
    return attempts


def terms(attempts: list[Attempt], measure: Callable[[Attempt], dict[str, float]]) -> list[Attempt]:
    """Set the reward to the plain sum of the terms that a grader measures."""
    for attempt in attempts:
        attempt.terms = {name: round(value, 4) + 0.0 for name, value in measure(attempt).items()}
        attempt.reward = round(sum(attempt.terms.values()), 4)
    return attempts
