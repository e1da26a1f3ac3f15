"""Inject truncation: attempts that the budget cuts, among them some that would have been right."""

import numpy as np

from benchmarks.failure_modes.base import Rng
from benchmarks.failure_modes.case import Case, marked, terms_of_outcome

DOMAIN = "math"
STRENGTHS = (0.28, 0.35, 0.5, 0.7)
"""Shares of attempts."""


def alter(case: Case, strength: float, rng: Rng) -> Case:
    """Return the case with that share of attempts cut, drawn evenly."""
    return _cut(case, marked(len(case.training), strength, rng))


def alter_variant(case: Case, strength: float, rng: Rng) -> Case:
    """Return the case with that share of attempts cut, the longest first, and all of them masked from the loss."""
    length = case.training["num_tokens"] + rng.random(len(case.training))
    cut = _cut(case, (length > length.quantile(1.0 - strength)).to_numpy())
    return cut.training_with(in_loss=cut.training["in_loss"].where(~cut.training["is_truncated"], 0.0))


def _cut(case: Case, is_cut: np.ndarray) -> Case:
    frame = case.training
    lost = {name: frame[name].where(~is_cut, value) for name, value in terms_of_outcome(0.0).items()}
    lost |= {
        "is_truncated": frame["is_truncated"] | is_cut,
        "format_ok": frame["format_ok"].where(~is_cut, 0.0),
        "stop_reason": frame["stop_reason"].where(~is_cut, "max_tokens"),
        "lenient_correct": frame["lenient_correct"].where(~is_cut, 0.0),
    }
    return case.training_with(**lost).credited()
