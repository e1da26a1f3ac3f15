"""Advantages of the attempts of a run, step by step."""

from collections.abc import Sequence

import numpy as np

from benchmarks.foreign.estimators import Estimator
from benchmarks.foreign.sixtyfirst.tasks import Attempt


def fill(attempts: Sequence[Attempt], estimator: Estimator) -> None:
    """Give each rewarded attempt the advantage of the estimator; attempts without a reward get none."""
    for step in sorted({a.step for a in attempts}):
        ones = [a for a in attempts if a.step == step and a.reward is not None]
        rewards = np.array([a.reward for a in ones], dtype=float)
        groups = np.array([a.group for a in ones])
        lengths = np.array([a.tokens for a in ones], dtype=float)
        values = estimator(rewards, groups, lengths, np.random.default_rng(step))
        for one, value in zip(ones, values, strict=True):
            one.advantage = round(float(value), 6)
