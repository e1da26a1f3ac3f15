"""Advantages of attempts, by the estimators that trainers use."""

from collections import defaultdict
from collections.abc import Callable
from math import comb

import numpy as np

from benchmarks.foreign.estimators import Estimator
from benchmarks.foreign.fortyfifth.runs import Try


def credit(tries: list[Try], estimator: Estimator) -> list[Try]:
    """Give each attempt that has a reward its advantage, step by step; attempts without one stay outside."""
    steps: dict[int, list[Try]] = defaultdict(list)
    for one in tries:
        if one.reward is not None and one.in_loss is not False:
            steps[one.step].append(one)
    for members in steps.values():
        names = sorted({t.group for t in members})
        groups = np.array([names.index(t.group) for t in members])
        rewards = np.array([t.reward for t in members], dtype=float)
        lengths = np.array([t.num_tokens for t in members], dtype=float)
        values = estimator(rewards, groups, lengths, np.random.default_rng(0))
        for one, value in zip(members, values, strict=True):
            one.advantage = float(value)
    return tries


def by_groups(tries: list[Try], value: Callable[[list[float]], list[float]]) -> list[Try]:
    """Advantages by a function of the rewards of a group."""
    groups: dict[str, list[Try]] = defaultdict(list)
    for one in tries:
        groups[one.group].append(one)
    for members in groups.values():
        for one, got in zip(members, value([float(t.reward or 0) for t in members]), strict=True):
            one.advantage = got
    return tries


def pass_at(k: int) -> Callable[[list[float]], list[float]]:
    """The analytic advantage of pass@k training: winners of groups that are sure to pass get nothing."""

    def value(rewards: list[float]) -> list[float]:
        n, lost = len(rewards), sum(r < 0.5 for r in rewards)
        mean = 1 - comb(lost, k) / comb(n, k)
        spread = (mean * (1 - mean)) ** 0.5
        if spread == 0:
            return [0.0] * n
        win = (1 - mean) / spread
        lose = (1 - mean - comb(lost - 1, k - 1) / comb(n - 1, k - 1)) / spread
        return [win if r > 0.5 else lose for r in rewards]

    return value
