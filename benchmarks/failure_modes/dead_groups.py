"""Inject dead groups: attempts at a problem all end alike; or the reward does not see how they ended."""

from benchmarks.failure_modes.base import Rng
from benchmarks.failure_modes.case import Case, some

DOMAIN = "math"
STRENGTHS = (0.45, 0.55, 0.7, 0.85)
"""Shares of groups."""


def alter(case: Case, strength: float, rng: Rng) -> Case:
    """Return the case with that share of groups all right or all wrong."""
    frame = case.training
    chosen = frame["group"].isin(some(frame["group"], strength, rng))
    outcome = frame.groupby("group")["correct"].transform("mean").round()
    columns = {name: frame[name].where(~chosen, outcome) for name in ("correct", "term_correct", "term_partial")}
    return case.training_with(**columns).credited()


def alter_variant(case: Case, strength: float, rng: Rng) -> Case:
    """Return the case with that share of mixed groups rewarded alike, whatever came out."""
    frame = case.training
    chosen = frame["group"].isin(some(frame["group"], strength, rng))
    constant = frame.groupby("group")["reward"].transform("mean")
    return case.training_with(
        reward=frame["reward"].where(~chosen, constant), advantage=frame["advantage"].where(~chosen, 0.0)
    )
