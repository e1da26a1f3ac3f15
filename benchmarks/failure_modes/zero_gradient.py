"""Inject steps that change nothing: a gradient of 0, or masks that drop every row of a step."""

from dataclasses import replace

from benchmarks.failure_modes.base import Rng
from benchmarks.failure_modes.case import Case, marked, some

DOMAIN = "math"
STRENGTHS = (0.15, 0.3, 0.6, 1.0)
"""Shares of optimiser steps."""


def alter(case: Case, strength: float, rng: Rng) -> Case:
    """Return the case with a gradient of 0 in that share of steps."""
    is_zero = marked(len(case.signals), strength, rng)
    return replace(case, signals=case.signals.assign(grad_norm=case.signals["grad_norm"].where(~is_zero, 0.0)))


def alter_variant(case: Case, strength: float, rng: Rng) -> Case:
    """Return the case with every row of that share of steps masked from the loss."""
    frame = case.training
    masked = frame["step"].isin(some(frame["step"], strength, rng))
    return case.training_with(in_loss=frame["in_loss"].where(~masked, 0.0))
