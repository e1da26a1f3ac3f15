"""Inject a gate on the format that fails right answers: read leniently they are right."""

from benchmarks.failure_modes.base import Rng
from benchmarks.failure_modes.case import Case, marked

DOMAIN = "code"
STRENGTHS = (0.15, 0.25, 0.5, 0.9)
"""Shares of right attempts; of all attempts, the other way."""


def alter(case: Case, strength: float, rng: Rng) -> Case:
    """Return the case with that share of right attempts refused for their form."""
    frame = case.training
    refused = (frame["correct"] >= 1.0) & (rng.random(len(frame)) < strength)
    return _refused(case, refused).training_with(lenient_correct=frame["lenient_correct"].where(~refused, 1.0))


def alter_variant(case: Case, strength: float, rng: Rng) -> Case:
    """Return the case with a gate that fails that share of all attempts, and no lenient reading of them."""
    share = 0.25 + 0.7 * strength
    refused = marked(len(case.training), share, rng)
    return _refused(case, refused).training_with(lenient_correct=float("nan"))


def _refused(case: Case, refused) -> Case:
    frame = case.training
    columns = {name: frame[name].where(~refused, 0.0) for name in ("correct", "term_correct", "format_ok", "reward")}
    return case.training_with(**columns)
