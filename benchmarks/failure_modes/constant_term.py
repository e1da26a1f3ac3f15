"""Inject a constant term: a bonus that counts, and that nearly every attempt earns."""

from benchmarks.failure_modes.base import Rng
from benchmarks.failure_modes.case import Case, marked, some

DOMAIN = "math"
STRENGTHS = (0.95, 0.97, 0.99, 1.0)
"""Shares of attempts that earn it."""
_WEIGHT = 0.2


def alter(case: Case, strength: float, rng: Rng) -> Case:
    """Return the case with the form of answers paid and right in that share of attempts."""
    earned = marked(len(case.training), strength, rng).astype(float)
    return case.training_with(term_format=earned).rewarded(format=_WEIGHT)


def alter_variant(case: Case, strength: float, rng: Rng) -> Case:
    """Return the case with partial credit that is one value within that share of groups, another in each."""
    frame = case.training
    value = frame["group"].map({group: 0.2 + 0.6 * rng.random() for group in frame["group"].unique()})
    chosen = frame["group"].isin(some(frame["group"], strength, rng))
    return case.training_with(term_partial=value.where(chosen, frame["term_partial"])).rewarded(partial=_WEIGHT)
