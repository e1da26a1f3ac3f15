"""Inject stale rollouts: training rows come from the policy of earlier steps."""

from benchmarks.failure_modes.base import Rng
from benchmarks.failure_modes.case import Case, some

DOMAIN = "math"
STRENGTHS = (0.15, 0.3, 0.6, 1.0)
"""Shares of steps whose rows are stale."""
_LAG = 3


def alter(case: Case, strength: float, rng: Rng) -> Case:
    """Return the case with that share of steps trained on rows of the policy before."""
    return _lagged(case, strength, 1, rng)


def alter_variant(case: Case, strength: float, rng: Rng) -> Case:
    """Return the case with that share of steps trained on rows that are some steps old."""
    return _lagged(case, strength, _LAG, rng)


def _lagged(case: Case, strength: float, lag: int, rng: Rng) -> Case:
    frame = case.training
    policies = frame.groupby("step")["policy_id"].first()
    stale = some(policies.index[lag:], strength, rng)
    before = dict(zip(policies.index[lag:], policies.to_numpy()[:-lag], strict=True))
    policy = frame["step"].map({step: before[step] for step in stale})
    return case.training_with(policy_id=policy.where(policy.notna(), frame["policy_id"]))
