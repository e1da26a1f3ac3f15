"""Advantages: how good an attempt was beside the others of its group. One definition for training and for backtests.

Rewards are a matrix P x G (problems x attempts); NaN stands for an attempt that does not count (an infrastructure
failure, or a masked trajectory): it moves no mean and gets advantage 0. Spread is the unbiased standard deviation.
Sources: GRPO (arXiv 2402.03300), Dr.GRPO for the mean alone (arXiv 2503.20783); the 1e-4 is TRL's, with whose
results a test compares these.
"""

import warnings
from collections.abc import Callable

import numpy as np

from evotrainer.config.limits import find

EPSILON = 1e-4


def advantages(rewards_PG: np.ndarray, normalisation: str) -> np.ndarray:
    """Return advantages of the shape of `rewards_PG`; raises ConfigError for an unknown normalisation."""
    scale = find(NORMALISATIONS, "algorithm.advantage", normalisation)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", RuntimeWarning)  # the mean of a group in which nothing counts is NaN, as meant
        centred_PG = rewards_PG - np.nanmean(rewards_PG, axis=1, keepdims=True)
    return np.nan_to_num(centred_PG / scale(rewards_PG), nan=0.0)


def spreads(rewards_PG: np.ndarray) -> np.ndarray:
    """Return the unbiased standard deviation of each row, [P]; 0 where fewer than two attempts count."""
    counts_P = np.sum(~np.isnan(rewards_PG), axis=1)
    known_PG = np.where(np.isnan(rewards_PG), 0.0, rewards_PG)
    means_P = known_PG.sum(axis=1) / np.maximum(counts_P, 1)
    squares_PG = np.where(np.isnan(rewards_PG), 0.0, rewards_PG - means_P[:, None]) ** 2
    spreads_P = np.sqrt(squares_PG.sum(axis=1) / np.maximum(counts_P - 1, 1))
    return np.where(counts_P > 1, spreads_P, 0.0)


NORMALISATIONS: dict[str, Callable[[np.ndarray], np.ndarray | float]] = {
    "group_std": lambda rewards_PG: spreads(rewards_PG)[:, None] + EPSILON,
    "group_mean": lambda rewards_PG: 1.0,
    "batch_std": lambda rewards_PG: spreads(rewards_PG.reshape(1, -1))[0] + EPSILON,
}
"""What centred rewards are divided by."""
