"""Advantages: how good an attempt was beside the others of its group. One definition for training and for backtests.

Rewards are a matrix P x G (problems x attempts); NaN stands for an attempt that does not count (an infrastructure
failure, or a masked trajectory): it moves no mean and gets advantage 0. Spread is the unbiased standard deviation.
Sources: GRPO (arXiv 2402.03300), Dr.GRPO for the mean alone (arXiv 2503.20783); the 1e-4 is TRL's, with whose
results a test compares these.
"""

from collections.abc import Callable

import numpy as np

EPSILON = 1e-4


def advantages(rewards_PG: np.ndarray, normalisation: str) -> np.ndarray:
    """Return advantages of the shape of `rewards_PG`."""
    return _centred(rewards_PG)[0] / NORMALISATIONS[normalisation](rewards_PG)


def spreads(rewards_PG: np.ndarray) -> np.ndarray:
    """Return the unbiased standard deviation of each row, [P]; 0 where fewer than two attempts count."""
    centred_PG, counts_P = _centred(rewards_PG)
    spreads_P = np.sqrt((centred_PG**2).sum(axis=1) / np.maximum(counts_P - 1, 1))
    return np.where(counts_P > 1, spreads_P, 0.0)


def _centred(rewards_PG: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return rewards minus the mean of what counts in their row, 0 for what does not, and how many count, [P]."""
    is_absent_PG = np.isnan(rewards_PG)
    if not is_absent_PG.any():
        means_P1 = rewards_PG.sum(axis=1, keepdims=True) / max(rewards_PG.shape[1], 1)
        return rewards_PG - means_P1, np.full(len(rewards_PG), rewards_PG.shape[1])
    counts_P = np.sum(~is_absent_PG, axis=1)
    means_P = np.where(is_absent_PG, 0.0, rewards_PG).sum(axis=1) / np.maximum(counts_P, 1)
    return np.where(is_absent_PG, 0.0, rewards_PG - means_P[:, None]), counts_P


NORMALISATIONS: dict[str, Callable[[np.ndarray], np.ndarray | float]] = {
    "group_std": lambda rewards_PG: spreads(rewards_PG)[:, None] + EPSILON,
    "group_mean": lambda rewards_PG: 1.0,
    "batch_std": lambda rewards_PG: spreads(rewards_PG.reshape(1, -1))[0] + EPSILON,
}
"""What centred rewards are divided by."""
