"""Inject an advantage that is not the reward's: a field overwrote it after it was computed."""

from benchmarks.failure_modes.base import Rng
from benchmarks.failure_modes.case import Case, some

DOMAIN = "math"
STRENGTHS = (0.02, 0.05, 0.2, 0.5)
"""Shares of groups."""


def alter(case: Case, strength: float, rng: Rng) -> Case:
    """Return the case with advantages of that share of groups lowered by a penalty on length."""
    frame = case.training
    chosen = frame["group"].isin(some(frame["group"], strength, rng))
    penalty = 0.02 * (frame["num_tokens"] - frame.groupby("group")["num_tokens"].transform("min"))
    penalty = penalty + 0.3 * (frame["attempt"] == 0)
    return case.training_with(advantage=(frame["advantage"] - penalty).where(chosen, frame["advantage"]))


def alter_variant(case: Case, strength: float, rng: Rng) -> Case:
    """Return the case with the advantages of that share of groups shifted by one attempt: a tensor out of step."""
    frame = case.training
    chosen = frame["group"].isin(some(frame["group"], strength, rng))
    return case.training_with(advantage=frame["advantage"].shift(1, fill_value=0.0).where(chosen, frame["advantage"]))
