"""What a score is worth: Avg@k tables, paired task-level bootstrap, Wilcoxon, noise floor, exact binomial limits.

A table holds problems x attempts; a problem's value is the mean of its graded attempts, a score the mean over problems.
Resampling draws *problems*, never attempts: problems are what the claim is about (method.md 5: B = 10,000, and
Wilcoxon signed-rank). All intervals are percentile intervals: the q-quantiles (linear interpolation) of the resampled
means. One matrix of draws, fixed by seed and number of problems, serves every table and every pair, so a pair judged
alone and a pair judged among fifty versions get the same interval, and memory stays bounded by a block of draws.

Bounds are rounded to 1e-6: finer than a lattice step of 2000 problems x 64 attempts, coarser than float32, so that a
bound that is exactly 0 never reads as above 0.

Stated degenerate answers: all differences zero gives the interval [0, 0] and p = 1. Everything else that cannot carry
an interval (one problem, unpaired problems, an ungraded problem, a value that is no number) is an EvidenceError.

*Floor*: two evaluations of one checkpoint, and what the attempts of one predict of the other. The formula takes each
problem's spread over its attempts (`noise_floor`). The second evaluation, under seeds of its own, checks it.

*Winner's curse*: the best of several was chosen because its screening rows came out well, partly by luck. Fresh rows of
the chosen one know nothing of the choice: screening score - fresh score estimates what luck had added.

*Drift*: a judge, a server or a machine may favour one arm for a round. Attempts of that round then err together, and
the bettor of betting.py, who counts attempts at different problems as independent, wins too often. Where that can
happen, a promotion also needs a t test over the R round means:

    mean(D) >= t(R - 1; 1 - alpha / 2) * max(SD(D), e) / sqrt(R)

e is the error of one round's mean that attempts alone give, so that rounds which agree by chance are not taken for
certainty. Half of alpha, because the gate looks after every round: simulation, not proof, shows that 16 looks then stay
within the budget (docs/gate.md). Where all rows follow from seeds alone nothing can drift, and the test is left out.

Shapes: N problems, K attempts, V tables, B resamples.
"""

import math
from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np
import scipy

from evotrainer.config import Config
from evotrainer.errors import EvidenceError
from evotrainer.evidence.score_table import ScoreTable, paired_differences, require_same_problems
from evotrainer.records import Comparison, NoiseFloor, WinnersCurse

BLOCK_CELLS = 64_000
"""Draws held at once: resamples x problems of one block; about 1 MB with their counts, which a core's cache holds."""
DECIMALS = 6


class Interval(NamedTuple):
    """A mean with the bounds of its percentile interval."""

    value: float
    low: float
    high: float


def resample(values_VN: np.ndarray, *, samples: int, seed: int) -> np.ndarray:
    """Return means_VB (float32): the mean of each row over each bootstrap draw of problems, the draws shared by all."""
    num_problems = values_VN.shape[1]
    if not np.isfinite(values_VN).all():
        raise EvidenceError("a score is not a number: remove or repeat the attempts behind it")
    if num_problems < 2:
        raise EvidenceError(f"{num_problems} problem(s) cannot carry an interval: evaluate at least 2")
    means_VB = np.empty((values_VN.shape[0], samples), dtype=np.float32)
    for block, counts_BN in _draws(num_problems, samples, seed):
        means_VB[:, block] = values_VN @ counts_BN.astype(float).T / num_problems
    return means_VB


def _draws(num_problems: int, samples: int, seed: int) -> Iterator[tuple[slice, np.ndarray]]:
    """Yield blocks of counts_BN: how often each problem is drawn in each resample. Fixed by the three arguments."""
    rng = np.random.default_rng(seed)
    size = max(1, BLOCK_CELLS // num_problems)
    for start in range(0, samples, size):
        num_rows = min(size, samples - start)
        drawn_BN = rng.integers(0, num_problems, (num_rows, num_problems))
        drawn_BN += np.arange(num_rows)[:, None] * num_problems
        counts = np.bincount(drawn_BN.ravel(), minlength=num_rows * num_problems)
        yield slice(start, start + num_rows), counts.reshape(num_rows, num_problems)


def percentile_bounds(means_VB: np.ndarray, confidence: float) -> tuple[np.ndarray, np.ndarray]:
    """Return low_V and high_V, the quantiles of each row (linear interpolation)."""
    tail = (1.0 - confidence) / 2.0
    low_V, high_V = np.quantile(means_VB.astype(float), [tail, 1.0 - tail], axis=1)
    return low_V, high_V


def mean_interval(values_N: np.ndarray, *, samples: int, confidence: float, seed: int) -> Interval:
    """Return the mean of `values_N` with its percentile interval over problems."""
    bounds = percentile_bounds(resample(values_N[None, :], samples=samples, seed=seed), confidence)
    low, high = (float(np.round(bound_V[0], DECIMALS)) + 0.0 for bound_V in bounds)
    return Interval(round(float(values_N.mean()), 12), low, high)


def compare(
    table: ScoreTable, other: ScoreTable, *, against: str, metric: str, samples: int, confidence: float, seed: int
) -> Comparison:
    """Compare two versions problem by problem. The noise floor is that of `other`: what no change at all would show."""
    differences_N = paired_differences(table, other)
    interval = mean_interval(differences_N, samples=samples, confidence=confidence, seed=seed)
    return Comparison(
        against=against,
        metric=metric,
        num_problems=len(differences_N),
        attempts=table.num_attempts,
        score=table.score,
        other_score=other.score,
        difference=interval.value,
        low=interval.low,
        high=interval.high,
        wilcoxon_p=wilcoxon_p(differences_N),
        noise_floor=noise_floor(other),
    )


def wilcoxon_p(differences_N: np.ndarray) -> float:
    """Return the two-sided p of Wilcoxon's signed-rank test, zero differences dropped; 1 when all are zero."""
    if not np.isfinite(differences_N).all():
        raise EvidenceError("a difference is not a number: the signed-rank test needs one for every problem")
    rounded_N = np.round(differences_N, 12)
    if not rounded_N.any():
        return 1.0
    result: Any = scipy.stats.wilcoxon(rounded_N)
    return float(f"{result.pvalue:.6g}")


def noise_floor(table: ScoreTable) -> float | None:
    """Return the SD of the paired difference of two evaluations of this one checkpoint, problems fixed.

    floor = sqrt(2 * sum_i s_i^2 / k_i) / N, with s_i^2 / k_i the sampling variance of each problem's mean. None where
    no problem has two graded attempts: it is unknown.
    """
    if table.ungraded:
        raise EvidenceError(f"problem '{table.ungraded[0]}' has no graded attempt: run its attempts again")
    variance_N = mean_variances(table)
    return None if np.isnan(variance_N).any() else round(float(np.sqrt(2.0 * variance_N.sum()) / len(variance_N)), 12)


def mean_variances(table: ScoreTable, unknown: float = np.nan) -> np.ndarray:
    """Return the sampling variance of each problem's mean, s^2 / k of its k graded attempts, [N].

    s^2 is unbiased. A problem with one graded attempt takes the mean s^2 of the others, `unknown` where there are none.
    """
    counts_N = (~np.isnan(table.values)).sum(axis=1)
    repeated_N = counts_N > 1
    variance_N = np.full(len(counts_N), unknown)
    if repeated_N.any():
        variance_N[repeated_N] = np.nanvar(table.values[repeated_N], axis=1, ddof=1)
        variance_N[~repeated_N] = variance_N[repeated_N].mean()
    return variance_N / counts_N


def measure_noise(first: ScoreTable, second: ScoreTable) -> NoiseFloor:
    """Return the noise floor from two evaluations of one checkpoint; raises EvidenceError where problems differ.

    With one attempt a problem the formula knows nothing, and the observed SD stands for both.
    """
    differences_N = paired_differences(second, first)
    observed = round(math.sqrt(float((differences_N**2).sum())) / len(differences_N), 12)
    predicted = noise_floor(first)
    return NoiseFloor(
        value=observed if predicted is None else predicted,
        observed=observed,
        difference=round(float(differences_N.mean()), 12),
        num_problems=len(differences_N),
        attempts=first.num_attempts,
    )


def winners_curse(screening: ScoreTable, fresh: ScoreTable) -> WinnersCurse:
    """Return screening score - fresh score of one checkpoint; raises EvidenceError if the problems differ."""
    require_same_problems(screening, fresh)
    floors = [noise_floor(screening), noise_floor(fresh)]
    error = None if None in floors else math.sqrt(sum((floor or 0.0) ** 2 / 2.0 for floor in floors))
    return WinnersCurse(
        screening=screening.score,
        fresh=fresh.score,
        correction=round(screening.score - fresh.score, 12),
        standard_error=error,
    )


LEVEL_FACTOR = 0.5
MIN_ROUNDS = 3
PURE_ENGINES, PURE_DOMAINS = ("torch",), ("math", "code", "swe")
"""What samples in this process, and what is graded by programs: rows that follow from weights, problems and seeds."""


def can_drift(config: Config) -> bool:
    """Return whether anything but the policy can move the score of an arm for a round."""
    return config.engine.rollout not in PURE_ENGINES or config.domain.name not in PURE_DOMAINS


def holds_by_round(means_RA: np.ndarray, errors_A: np.ndarray, alpha: float) -> np.ndarray:
    """Return for each of A gates whether its R round means show an improvement.

    `errors_A`: standard errors of one round's mean difference from attempts alone.
    """
    num_rounds = len(means_RA)
    if num_rounds < MIN_ROUNDS:
        return np.zeros(means_RA.shape[1], dtype=bool)
    spread_A = np.maximum(means_RA.std(axis=0, ddof=1), errors_A)
    limit = scipy.stats.t.isf(LEVEL_FACTOR * alpha, num_rounds - 1)
    return means_RA.mean(axis=0) * np.sqrt(num_rounds) >= limit * spread_A
