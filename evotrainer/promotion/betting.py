"""Wealth of a bettor against "the mean difference is at most c", and the confidence sequence that follows.

In round r problem j shows d_jr in [-1, 1], the difference of the two arms' means over fresh attempts, with expectation
delta_j. The bettor's wealth is multiplied by prod_j (1 + l (d_jr - c)). Problems are drawn independently, so that the
expected factor is prod_j (1 + l (delta_j - c)) <= exp(l sum_j (delta_j - c)) <= 1 wherever mean(delta) <= c, however
the delta_j differ among themselves. The wealth is then a test supermartingale, as is its mean over several l, and
Ville's inequality bounds the chance that it *ever* reaches 1/alpha by alpha: the gate may look after every round and
stop at any of them (testing by betting: Waudby-Smith and Ramdas, arXiv 2010.09686).

Deviations from the paper: (1) one stake l for all problems of a round, because a stake chosen per problem would need
mean(delta) <= c problem by problem; (2) the stakes are fixed before the first round instead of adapted, a mixture of
three for the unknown effect. Betting on the mean over problems would be valid with little power: a round would then
multiply the wealth by 1 + l*mean(d), a few percent.

Shapes: R rounds, N problems, G stakes.
"""

import numpy as np
from numpy.typing import ArrayLike

MAX_STAKE = 0.9
"""A stake of 1 would lose everything at one problem that turns from always to never solved."""
STAKE_FACTORS = (0.6, 1.0, 1.6)
BISECTIONS = 40


def stakes(target: float, variance: float, attempts: int) -> tuple[float, ...]:
    """Return the stakes l_G for rounds of `attempts` a problem, best if the true mean difference is `target`.

    `variance` is the mean over problems of p (1 - p), from rows drawn before the first round. The stake of greatest
    growth is target / Var(d) = attempts * target / (2 variance). Without variance every stake is the greatest allowed.
    """
    best = attempts * target / max(2.0 * variance, 1e-12)
    return tuple(min(MAX_STAKE, best * factor) for factor in STAKE_FACTORS)


def log_growth(differences: np.ndarray, stakes_G: ArrayLike, null: float = 0.0) -> np.ndarray:
    """Return sum_j log(1 + l (d_j - null)) over the last axis, one value a stake, stakes on a new last axis."""
    shifted = np.asarray(differences, dtype=float)[..., None] - null
    return np.log1p(_capped(np.asarray(stakes_G, dtype=float), null) * shifted).sum(axis=-2)


def mixed(log_wealth_G: np.ndarray) -> np.ndarray:
    """Return the log of the mean wealth over stakes (last axis)."""
    greatest = log_wealth_G.max(axis=-1, keepdims=True)
    return np.log(np.exp(log_wealth_G - greatest).mean(axis=-1)) + greatest[..., 0]


def log_wealth(differences_RN: np.ndarray, stakes_G: ArrayLike, null: float = 0.0) -> np.ndarray:
    """Return the log wealth after each of the R rounds."""
    return mixed(np.cumsum(log_growth(differences_RN, stakes_G, null), axis=0))


def confidence_sequence(differences_RN: np.ndarray, stakes_G: ArrayLike, alpha: float) -> tuple[float, float]:
    """Return bounds of the mean difference that hold at all rounds at once with probability 1 - alpha.

    A value c is inside while neither "at most c" nor "at least c" was ever refuted at alpha / 2. Before the first
    round, and where the bounds would cross, everything is possible: [-1, 1].
    """
    if not len(differences_RN):
        return -1.0, 1.0
    low = _lower_bound(differences_RN, stakes_G, alpha / 2.0)
    high = -_lower_bound(-differences_RN, stakes_G, alpha / 2.0)
    return (low, high) if low <= high else (-1.0, 1.0)


def _lower_bound(differences_RN: np.ndarray, stakes_G: ArrayLike, alpha: float) -> float:
    """Return the greatest c at which "at most c" is refuted; wealth falls with c, so bisection finds it."""
    refuted, possible = -1.0, 1.0
    for _ in range(BISECTIONS):
        middle = (refuted + possible) / 2.0
        if log_wealth(differences_RN, stakes_G, middle).max() >= -np.log(alpha):
            refuted = middle
        else:
            possible = middle
    return refuted


def _capped(stakes_G: np.ndarray, null: float) -> np.ndarray:
    """Return the stakes, lowered where a loss of 1 + null could exceed the wealth."""
    return np.minimum(stakes_G, MAX_STAKE / (1.0 + max(null, 0.0)))
