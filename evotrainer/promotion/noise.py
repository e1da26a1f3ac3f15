"""Noise: the floor of a campaign, what selection had added to a score, and what moves one arm for a whole round.

*Floor*: two evaluations of one checkpoint, and what the attempts of one predict of the other. The formula takes each
problem's spread over its attempts (statistics.noise_floor). The second evaluation, under seeds of its own, checks it.

*Winner's curse*: the best of several was chosen because its screening rows came out well, partly by luck. Fresh rows of
the chosen one know nothing of the choice: screening score - fresh score estimates what luck had added.

*Drift*: a judge, a server or a machine may favour one arm for a round. Attempts of that round then err together, and
the bettor of betting.py, who counts attempts at different problems as independent, wins too often. Where that can
happen, a promotion also needs a t test over the R round means:

    mean(D) >= t(R - 1; 1 - alpha / 2) * max(SD(D), e) / sqrt(R)

e is the error of one round's mean that attempts alone give, so that rounds which agree by chance are not taken for
certainty. Half of alpha, because the gate looks after every round: simulation, not proof, shows that 16 looks then stay
within the budget (docs/gate.md). Where all rows follow from seeds alone nothing can drift, and the test is left out.
"""

import math

import numpy as np
import scipy

from evotrainer.config import Config
from evotrainer.evidence.score_table import ScoreTable, paired_differences, require_same_problems
from evotrainer.promotion.statistics import noise_floor
from evotrainer.records import NoiseFloor, WinnersCurse


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
