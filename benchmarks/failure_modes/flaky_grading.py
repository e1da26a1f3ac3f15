"""Inject a grader that does not agree with itself: the same answer, graded right and wrong."""

from dataclasses import replace

from benchmarks.failure_modes.base import Rng
from benchmarks.failure_modes.case import Case, marked
from evotrainer.evidence.frames import Frame

DOMAIN = "math"
STRENGTHS = (0.02, 0.05, 0.1, 0.3)
"""Shares of attempts whose grade is a coin's."""


def alter(case: Case, strength: float, rng: Rng) -> Case:
    """Return the case with grades of that share of training attempts thrown."""
    return case.training_with(**_thrown(case.training, strength, rng)).credited()


def alter_variant(case: Case, strength: float, rng: Rng) -> Case:
    """Return the case with a grader that fails right answers of validation at times, and never passes wrong ones."""
    frame = case.validation
    lost = marked(len(frame), strength, rng) & (frame["correct"] >= 1.0)
    columns = {name: frame[name].where(~lost, 0.0) for name in ("correct", "term_correct", "reward")}
    return replace(case, validation=frame.assign(**columns))


def _thrown(frame: Frame, strength: float, rng: Rng) -> dict[str, Frame]:
    chosen = marked(len(frame), strength, rng)
    coin = (rng.random(len(frame)) < 0.5).astype(float)
    return {name: frame[name].where(~chosen, coin) for name in ("correct", "term_correct", "term_partial")}
