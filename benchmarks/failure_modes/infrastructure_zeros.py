"""Inject zeros of the machine: attempts that it failed are scored 0, named as errors or not."""

import numpy as np

from benchmarks.failure_modes.base import Rng
from benchmarks.failure_modes.case import Case, marked

DOMAIN = "math"
STRENGTHS = (0.01, 0.05, 0.1, 0.3)
"""Shares of attempts."""
_SECONDS, _LIMIT = 1.5, 30.0


def alter(case: Case, strength: float, rng: Rng) -> Case:
    """Return the case with that share of attempts failed by a grader's timeout and rewarded 0."""
    failed = _failed(case, strength, rng)
    lost = failed.training["term_correct"].isna()
    errors = failed.training["error"].where(~lost, "GraderTimeout")
    return failed.training_with(error=errors, term_correct=failed.training["term_correct"].fillna(0.0))


def alter_variant(case: Case, strength: float, rng: Rng) -> Case:
    """Return the case with them failed at a time limit that nothing names: only how long they took tells."""
    failed = _failed(case, strength, rng)
    lost = failed.training["term_correct"].isna()
    seconds = rng.gamma(4.0, _SECONDS / 4.0, len(lost))
    return failed.training_with(
        duration_seconds=np.where(lost, _LIMIT, seconds), term_correct=failed.training["term_correct"].fillna(0.0)
    )


def _failed(case: Case, strength: float, rng: Rng) -> Case:
    """Return the case with attempts wrong that were right or not, `term_correct` missing where that happened."""
    frame, lost = case.training, marked(len(case.training), strength, rng)
    return case.training_with(
        correct=frame["correct"].where(~lost, 0.0),
        reward=frame["reward"].where(~lost, 0.0),
        lenient_correct=frame["lenient_correct"].where(~lost, 0.0),
        term_correct=frame["term_correct"].where(~lost),
    )
