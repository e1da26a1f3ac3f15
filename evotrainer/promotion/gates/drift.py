"""Rounds as units: does an improvement stand if something moves one arm for a whole round?

A judge, a server or a machine may favour one arm for a round by a point or two. Attempts of that round then err
together, and the bettor of betting.py, who counts attempts at different problems as independent, wins too often. Where
that can happen, a promotion also needs a t test over the R round means, which counts rounds alone:

    mean(D) >= t(R - 1; 1 - alpha / 2) * max(SD(D), e) / sqrt(R)

e is the error of one round's mean that attempts alone give, so that rounds which agree by chance are not taken for
certainty. Half of alpha, because the gate looks after every round: simulation, not proof, shows that 16 looks then stay
within the budget (docs/gate.md). Where all rows follow from seeds alone nothing can drift, and the test is left out.
"""

import numpy as np
import scipy

from evotrainer.config import Config

LEVEL_FACTOR = 0.5
MIN_ROUNDS = 3
PURE_ENGINES, PURE_DOMAINS = ("torch",), ("math", "code", "swe")
"""What samples in this process, and what is graded by programs: rows that follow from weights, problems and seeds."""


def can_drift(config: Config) -> bool:
    """Return whether anything but the policy can move the score of an arm for a round."""
    return config.engine.rollout not in PURE_ENGINES or config.domain.name not in PURE_DOMAINS


def stands_by_round(means_RA: np.ndarray, errors_A: np.ndarray, alpha: float) -> np.ndarray:
    """Return for each of A gates whether its R round means show an improvement.

    `errors_A`: standard errors of one round's mean difference from attempts alone.
    """
    num_rounds = len(means_RA)
    if num_rounds < MIN_ROUNDS:
        return np.zeros(means_RA.shape[1], dtype=bool)
    spread_A = np.maximum(means_RA.std(axis=0, ddof=1), errors_A)
    limit = scipy.stats.t.isf(LEVEL_FACTOR * alpha, num_rounds - 1)
    return means_RA.mean(axis=0) * np.sqrt(num_rounds) >= limit * spread_A
