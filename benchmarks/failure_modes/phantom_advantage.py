"""Inject phantom advantage: groups with one outcome for all, in which a style term decides what is reinforced."""

from benchmarks.failure_modes.base import Rng
from benchmarks.failure_modes.case import Case, some

DOMAIN = "math"
STRENGTHS = (0.3, 0.4, 0.6, 0.8)
"""Shares of groups."""
_WEIGHT = 0.2


def alter(case: Case, strength: float, rng: Rng) -> Case:
    """Return the case with that share of groups decided, and the form of their answers paid."""
    return _decided(case, strength, rng, "format")


def alter_variant(case: Case, strength: float, rng: Rng) -> Case:
    """Return the case with that share of groups decided, and partial credit for wrong answers."""
    return _decided(case, strength, rng, "partial")


def _decided(case: Case, strength: float, rng: Rng, term: str) -> Case:
    frame = case.training
    chosen = frame["group"].isin(some(frame["group"], strength, rng))
    outcome = frame.groupby("group")["correct"].transform("mean").round()
    if term == "partial":
        outcome = outcome.where(~chosen, 0.0)
    columns = {name: frame[name].where(~chosen, outcome) for name in ("correct", "term_correct")}
    columns[f"term_{term}"] = frame[f"term_{term}"].where(~chosen, rng.integers(0, 2, len(frame)).astype(float))
    return case.training_with(**columns).rewarded(**{term: _WEIGHT})
