"""Inject a KL that has no effect: a coefficient is set, and the distance from the base stays 0."""

from dataclasses import replace
from typing import Any

from benchmarks.failure_modes.base import Rng
from benchmarks.failure_modes.case import Case

DOMAIN = "math"
STRENGTHS = (0.001, 0.01, 0.04, 0.2)
"""Coefficients."""


def alter(case: Case, strength: float, rng: Rng) -> Case:
    """Return the case with that coefficient and a measured KL of 0: taken against the policy itself."""
    return _measured(case, strength, 0.0)


def alter_variant(case: Case, strength: float, rng: Rng) -> Case:
    """Return the case with that coefficient and a KL of rounding errors."""
    return _measured(case, strength, rng.normal(0.0, 1e-12, len(case.signals)))


def _measured(case: Case, coefficient: float, kl: Any) -> Case:
    assert case.recipe is not None
    recipe = replace(case.recipe, algorithm=replace(case.recipe.algorithm, kl_coefficient=coefficient))
    return replace(case, recipe=recipe, signals=case.signals.assign(kl=kl))
