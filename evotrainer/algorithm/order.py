"""Order violations: how often a reward ranks a wrong attempt above a correct one of its group."""

from functools import reduce

import numpy as np

from evotrainer.algorithm.groups import Groups

_CELLS = 1 << 22
"""Pairs that are compared at a time: 4 MiB."""


def order_violations(rewards_N: np.ndarray, is_correct_N: np.ndarray, groups: Groups) -> float:
    """Return the share of (correct, wrong) pairs of a group in which the wrong attempt earns more; 0 without pairs."""
    rewards_PG = groups.matrix(rewards_N, 0.0)
    right_PG, wrong_PG = groups.matrix(is_correct_N, False), groups.matrix(~is_correct_N, False)
    pairs = int((right_PG.sum(axis=1) * wrong_PG.sum(axis=1)).sum())
    least_P = reduce(np.minimum, np.where(right_PG, rewards_PG, np.inf).T, np.full(len(rewards_PG), np.inf))
    most_P = reduce(np.maximum, np.where(wrong_PG, rewards_PG, -np.inf).T, np.full(len(rewards_PG), -np.inf))
    suspects = np.flatnonzero(most_P > least_P)
    violations, at_once = 0, max(1, _CELLS // max(1, rewards_PG.shape[1] ** 2))
    for start in range(0, len(suspects), at_once):
        part = suspects[start : start + at_once]
        is_lower = rewards_PG[part, :, None] < rewards_PG[part, None, :]
        violations += int((is_lower & right_PG[part, :, None] & wrong_PG[part, None, :]).sum())
    return violations / max(1, pairs)


def equal_pay(rewards_N: np.ndarray, is_correct_N: np.ndarray, groups: Groups) -> float:
    """Return the share of such pairs in which both earn the same; 1 without pairs."""
    below = order_violations(rewards_N, ~is_correct_N, groups)
    return 1 - order_violations(rewards_N, is_correct_N, groups) - below


def disorder(rewards_N: np.ndarray, is_correct_N: np.ndarray, groups: Groups) -> float:
    """Return the share of such pairs in which the wrong attempt earns more, equal pay counted half; 0.5 without."""
    below = order_violations(rewards_N, ~is_correct_N, groups)  # pairs in which the right attempt earns more
    return 0.5 * (order_violations(rewards_N, is_correct_N, groups) + 1 - below)
