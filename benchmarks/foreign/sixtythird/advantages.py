"""Advantages of attempts, by the estimator of the system at hand."""

import random
from collections import defaultdict

import numpy as np

from benchmarks.foreign import estimators
from benchmarks.foreign.estimators import Estimator
from benchmarks.foreign.sixtythird.attempts import Attempt


def fill(attempts: list[Attempt], rng: random.Random, estimator: Estimator = estimators.grpo) -> list[Attempt]:
    """Set the advantages, step by step."""
    noise = np.random.default_rng(rng.getrandbits(32))
    by_step: dict[tuple[str, int], list[Attempt]] = defaultdict(list)
    for a in attempts:
        by_step[a.split, a.step].append(a)
    for (split, _), members in by_step.items():
        if split != "train":
            continue
        rewards = np.array([a.reward for a in members])
        groups = np.array([a.group for a in members])
        lengths = np.array([float(a.tokens) for a in members])
        for a, value in zip(members, estimator(rewards, groups, lengths, noise), strict=True):
            a.adv = round(float(value), 6)
    return attempts
