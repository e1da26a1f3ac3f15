"""Solve probabilities to simulate with: a beta distribution over problems.

Shapes: A campaigns, N problems.
"""

from dataclasses import dataclass

import numpy as np

DEFAULT_BETA = (1.50, 1.85)
"""Of the embedded math policy on 240 validation problems at 8 attempts: mean of the fits of two campaign seeds.

Fitted by moments: the variance of the beta is that of the observed means less their mean sampling variance.
"""


@dataclass(frozen=True)
class ScoreModel:
    """A source of solve probabilities of problems that are alike in all but their draw from one beta distribution."""

    first: float
    second: float
    num_problems: int

    @property
    def name(self) -> str:
        """How tables call the model."""
        return f"Beta({self.first:.2f}, {self.second:.2f}), {self.num_problems} problems"

    def draw(self, rng: np.random.Generator, campaigns: int) -> np.ndarray:
        """Return probabilities, A x N."""
        return rng.beta(self.first, self.second, (campaigns, self.num_problems))


def shifted(chance_AN: np.ndarray, change_A: np.ndarray, jitter_AN: np.ndarray | None = None) -> np.ndarray:
    """Return probabilities whose mean over problems is changed by `change_A`: logits moved by one amount a campaign.

    `jitter_AN` is added to the logits before: a policy that is another one problem by problem. The mean is met by
    bisection; a change beyond what the problems allow ends at 0 or 1.
    """
    if jitter_AN is None and not change_A.any():
        return chance_AN
    clipped_AN = np.clip(chance_AN, 1e-6, 1 - 1e-6)
    logits_AN = np.log(clipped_AN) - np.log1p(-clipped_AN)
    wanted_A = chance_AN.mean(axis=1) + change_A
    moved_AN = logits_AN if jitter_AN is None else logits_AN + jitter_AN
    low_A, high_A = np.full(len(wanted_A), -20.0), np.full(len(wanted_A), 20.0)
    for _ in range(30):
        middle_A = (low_A + high_A) / 2.0
        is_low_A = _expit(moved_AN + middle_A[:, None]).mean(axis=1) < wanted_A
        low_A, high_A = np.where(is_low_A, middle_A, low_A), np.where(is_low_A, high_A, middle_A)
    return _expit(moved_AN + ((low_A + high_A) / 2.0)[:, None])


def _expit(logits: np.ndarray) -> np.ndarray:
    return 1.0 / (1.0 + np.exp(-logits))
