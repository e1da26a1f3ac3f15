"""Advantages that the trainer of a run computes, step by step, from rewards and groups."""

from collections import defaultdict

import numpy as np

from benchmarks.foreign.estimators import Estimator
from benchmarks.foreign.fiftyeighth.attempts import Attempt


def fill(attempts: list[Attempt], estimator: Estimator) -> list[Attempt]:
    """Give each attempt of training its advantage, and mark it as consumed."""
    steps: dict[int, list[Attempt]] = defaultdict(list)
    for attempt in attempts:
        if attempt.split == "train" and attempt.reward is not None:
            steps[attempt.step].append(attempt)
    for rows in steps.values():
        names = {name: i for i, name in enumerate(dict.fromkeys(a.group for a in rows))}
        rewards = np.array([float(a.reward or 0.0) for a in rows])
        groups = np.array([names[a.group] for a in rows])
        lengths = np.array([float(a.tokens) for a in rows])
        values = estimator(rewards, groups, lengths, np.random.default_rng(0))
        for attempt, value in zip(rows, values, strict=True):
            attempt.advantage = round(float(value), 6)
            attempt.in_loss = True
    return attempts
