"""Inject a reward that parts from the outcome: wrong attempts are paid more, or ever more for nothing."""

from dataclasses import replace

from benchmarks.failure_modes.base import Rng
from benchmarks.failure_modes.case import Case, some

DOMAIN = "math"
STRENGTHS = (0.15, 0.25, 0.5, 0.9)
"""Share of groups; of the run's reward, in its standard deviations, for the other way."""
_WEIGHT = 2.0


def alter(case: Case, strength: float, rng: Rng) -> Case:
    """Return the case with that share of groups in which partial credit outweighs being right."""
    frame = case.training
    chosen = frame["group"].isin(some(frame["group"], strength, rng))
    partial = (1.0 - frame["correct"]).where(chosen, 0.0)
    return case.training_with(term_partial=partial).rewarded(partial=_WEIGHT)


def alter_variant(case: Case, strength: float, rng: Rng) -> Case:
    """Return the case with the form of answers paid, and ever more common over the steps, the outcome unmoved."""
    frame = case.training
    steps = frame["step"] / max(int(frame["step"].max()), 1)
    order = rng.permutation(sorted(frame["step"].unique()))
    flat = frame.assign(step=frame["step"].map(dict(zip(sorted(frame["step"].unique()), order, strict=True))))
    flat = flat.sort_values(["step", "group", "attempt"], ignore_index=True)
    steps = flat["step"] / max(int(flat["step"].max()), 1)
    earned = (rng.random(len(flat)) < 0.05 + 0.9 * steps).astype(float)
    return replace(case, training=flat.assign(term_format=earned)).rewarded(format=strength)
