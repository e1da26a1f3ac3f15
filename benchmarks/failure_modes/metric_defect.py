"""Inject a metric that is not what its rows say: correctness, reward, marks or signals, computed wrongly."""

from dataclasses import replace

from benchmarks.failure_modes.base import Rng
from benchmarks.failure_modes.case import Case, marked

DOMAIN = "math"
FALSIFIES = True
STRENGTHS = (0.002, 0.01, 0.05, 0.3)
"""Shares of attempts."""
_OFF = 0.1


def alter(case: Case, strength: float, rng: Rng) -> Case:
    """Return the case with that share of validation scored other than their terms say."""
    frame = case.validation
    wrong = marked(len(frame), strength, rng)
    return replace(case, validation=frame.assign(correct=frame["correct"].where(~wrong, 1.0 - frame["correct"])))


def alter_variant(case: Case, strength: float, rng: Rng) -> Case:
    """Return the case with rewards that are not the sum of their terms, or a ratio of dead groups of other rows."""
    if rng.random() < 0.5:
        wrong = marked(len(case.training), strength, rng)
        return case.training_with(reward=case.training["reward"] + _OFF * wrong)
    wrong = marked(len(case.signals), strength, rng)
    return replace(case, signals=case.signals.assign(dead_group_ratio=case.signals["dead_group_ratio"] + _OFF * wrong))
