"""Inject a mismatch of sampler and trainer: importance ratios that are off 1, at times by much or always by some."""

from dataclasses import replace

import numpy as np

from benchmarks.failure_modes.base import Rng
from benchmarks.failure_modes.case import Case, marked

DOMAIN = "math"
STRENGTHS = (0.15, 0.4, 0.8, 1.6)
"""Nats that the mean ratio is off."""


def alter(case: Case, strength: float, rng: Rng) -> Case:
    """Return the case with ratios that far off, of either sign but one within a run, growing over its first third."""
    steps = len(case.signals)
    grown = np.minimum(1.0, np.arange(steps) / max(1, steps // 3))
    return _off(case, rng.choice([-1.0, 1.0]) * strength * grown * rng.uniform(0.9, 1.1, steps))


def alter_variant(case: Case, strength: float, rng: Rng) -> Case:
    """Return the case with a third of its steps twice that far off, the others sound."""
    is_off = marked(len(case.signals), 1 / 3, rng)
    return _off(case, np.where(is_off, 2.0 * strength, 0.0))


def _off(case: Case, nats: np.ndarray) -> Case:
    return replace(case, signals=case.signals.assign(mean_ratio=case.signals["mean_ratio"] * np.exp(nats)))
