"""Gains of a pool, and the best of several, without what choosing among noisy scores adds.

The highest of several noisy scores is too high: it was chosen for its noise too. So attempts are halved in all ways.
One half chooses, the other scores; the mean over all ways is the *crossed* best. It errs to the other side, since half
of the attempts choose worse than all that is true would: the best lies between the crossed one and the plain one.

A choice that was made on other evidence needs no such care. Legend: C candidates, K attempts, S ways to halve, W pools.
"""

import itertools
import math
from collections.abc import Sequence
from functools import cache

import numpy as np
from scipy import stats

from benchmarks.paired_seeds import SeedDifference, seed_difference
from benchmarks.regret.measured.records import TrainedPool

POINTS = 100.0


def with_policies(pool: TrainedPool) -> TrainedPool:
    """Return the pool without candidates whose training gave no policy."""
    return pool.model_copy(update={"candidates": [one for one in pool.candidates if one.scores]})


def gains(pool: TrainedPool) -> np.ndarray:
    """Return the gain of each candidate over the incumbent by attempt, [C, K], in percentage points."""
    scores_CK = np.array([one.scores for one in pool.candidates])
    return POINTS * (scores_CK - np.array(pool.incumbent_scores))


def crossed_best(gains_CK: np.ndarray, members: Sequence[int]) -> float:
    """Return the gain of the best of these candidates, chosen and scored on different attempts.

    Without members nothing is trained and the incumbent stays: 0.
    """
    if not members:
        return 0.0
    choosing_KS, scoring_KS = _halves(gains_CK.shape[1])
    own_CK = gains_CK[list(members)]
    best_S = (own_CK @ choosing_KS).argmax(0)
    return float((own_CK @ scoring_KS)[best_S, np.arange(len(best_S))].mean())


def plain_best(gains_CK: np.ndarray, members: Sequence[int]) -> float:
    """Return the highest mean gain of these candidates, too high by what noise adds; 0 without members."""
    return float(gains_CK[list(members)].mean(1).max()) if members else 0.0


def noise_floor(pool: TrainedPool, confidence: float = 0.95) -> float:
    """Return the difference of two policies of the pool that attempts alone do not explain, in percentage points.

    The residuals of policies by attempts give the noise: what the common draws of an attempt do to all is taken out.
    """
    scores_CK = POINTS * np.array([pool.incumbent_scores, *(one.scores for one in pool.candidates)])
    left_CK = scores_CK - scores_CK.mean(1, keepdims=True) - scores_CK.mean(0, keepdims=True) + scores_CK.mean()
    freedom = (scores_CK.shape[0] - 1) * (scores_CK.shape[1] - 1)
    variance = float((left_CK**2).sum()) / freedom
    return float(stats.t.ppf((1 + confidence) / 2, freedom)) * math.sqrt(2 * variance / scores_CK.shape[1])


def rank_correlation(first: Sequence[float], second: Sequence[float]) -> float | None:
    """Return Spearman's correlation, ties at their mean rank; None where one of both does not vary."""
    ranks = [stats.rankdata(values) for values in (first, second)]
    if len(first) < 2 or any(np.ptp(values) == 0 for values in ranks):
        return None
    return float(np.corrcoef(*ranks)[0, 1])


def halves_correlation(gains_CK: np.ndarray) -> float | None:
    """Return how far one half of the attempts ranks candidates as the other does, the mean over ways to halve."""
    choosing_KS, scoring_KS = _halves(gains_CK.shape[1])
    pairs = zip((gains_CK @ choosing_KS).T, (gains_CK @ scoring_KS).T, strict=True)
    found = [rank_correlation(one.tolist(), other.tolist()) for one, other in pairs]
    known = [value for value in found if value is not None]
    return sum(known) / len(known) if known else None


def clustered(values_W: Sequence[float | None], seeds_W: Sequence[int]) -> SeedDifference:
    """Return the mean over campaigns of their means over pools, with Student's t interval; None is left out."""
    by_seed: dict[int, list[float]] = {}
    for value, seed in zip(values_W, seeds_W, strict=True):
        if value is not None:
            by_seed.setdefault(seed, []).append(value)
    means = {seed: math.fsum(values) / len(values) for seed, values in by_seed.items()}
    return seed_difference(means, dict.fromkeys(means, 0.0))


@cache
def _halves(num_attempts: int) -> tuple[np.ndarray, np.ndarray]:
    """Return the weights of attempts that choose and that score, by way to halve, [K, S]; at least two attempts."""
    ways = list(itertools.combinations(range(num_attempts), num_attempts // 2))
    chosen_KS = np.zeros((num_attempts, len(ways)))
    for place, way in enumerate(ways):
        chosen_KS[list(way), place] = 1.0
    return chosen_KS / chosen_KS.sum(0), (1 - chosen_KS) / (1 - chosen_KS).sum(0)
