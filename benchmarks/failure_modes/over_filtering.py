"""Inject over-filtering: most groups never reach the loss, or ever fewer problems are trained on."""

from benchmarks.failure_modes.base import Rng
from benchmarks.failure_modes.case import Case, some

DOMAIN = "math"
STRENGTHS = (0.78, 0.85, 0.9, 0.95)
"""Shares of groups that are dropped; of problems that are gone at the end."""


def alter(case: Case, strength: float, rng: Rng) -> Case:
    """Return the case with that share of groups dropped before the loss."""
    frame = case.training
    dropped = frame["group"].isin(some(frame["group"], strength, rng))
    return case.training_with(in_loss=frame["in_loss"].where(~dropped, 0.0))


def alter_variant(case: Case, strength: float, rng: Rng) -> Case:
    """Return the case with the problems of its last third drawn from few."""
    frame = case.training
    steps = sorted(frame["step"].unique())
    late = frame["step"].isin(steps[-(len(steps) // 3) :])
    groups = frame[late].drop_duplicates("group")
    few = rng.choice(groups["problem_id"].to_numpy(), max(1, round((1 - strength) * len(groups))), replace=False)
    problem = frame["group"].map({group: str(rng.choice(few)) for group in groups["group"]})
    return case.training_with(problem_id=problem.where(late, frame["problem_id"]))
