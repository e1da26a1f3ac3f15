"""Advantages of a batch, by the estimator of the system at hand."""

import random
from collections.abc import Iterable

import numpy as np

from benchmarks.foreign.estimators import Estimator
from benchmarks.foreign.thirtyeighth.core import Attempt


def weigh(rng: random.Random, batch: list[Attempt], estimator: Estimator) -> list[Attempt]:
    """Set the advantages of one step; attempts without a reward have none."""
    graded = [a for a in batch if a.reward is not None]
    if not graded:
        return batch
    names = {name: i for i, name in enumerate(dict.fromkeys(a.group for a in graded))}
    values = estimator(
        np.array([a.reward for a in graded], dtype=float),
        np.array([names[a.group] for a in graded]),
        np.array([a.tokens for a in graded], dtype=float),
        np.random.default_rng(rng.getrandbits(32)),
    )
    for attempt, value in zip(graded, values, strict=True):
        attempt.advantage = round(float(value), 6)
    return batch


def weighed(rng: random.Random, steps: Iterable[list[Attempt]], estimator: Estimator) -> list[Attempt]:
    """Set the advantages of a run, and return its attempts in one list."""
    return [attempt for batch in steps for attempt in weigh(rng, batch, estimator)]
