"""Advantages of attempts, by the estimator that a system uses."""

import numpy as np

from benchmarks.foreign import estimators
from benchmarks.foreign.fortyninth.attempts import Attempt

ESTIMATORS = {
    "grpo": estimators.grpo,
    "centred": estimators.centred,
    "rloo": estimators.leave_one_out,
    "batch": estimators.whole_batch,
    "batch_baseline": estimators.whole_batch_baseline,
}


def fill(attempts: list[Attempt], name: str = "grpo") -> list[Attempt]:
    """Give each attempt the advantage that the estimator says, step by step."""
    for step in sorted({a.step for a in attempts}):
        rows = [a for a in attempts if a.step == step]
        numbers = {group: i for i, group in enumerate(dict.fromkeys(a.group for a in rows))}
        values = ESTIMATORS[name](
            np.array([a.reward for a in rows], float),
            np.array([numbers[a.group] for a in rows]),
            np.array([a.tokens for a in rows], float),
            np.random.default_rng(0),
        )
        for row, value in zip(rows, values, strict=True):
            row.advantage = round(float(value), 6)
    return attempts
