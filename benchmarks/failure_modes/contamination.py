"""Inject contamination: validation problems that were trained on, and are solved for it."""

from collections.abc import Sequence

from benchmarks.failure_modes.base import Rng, all_passed, graded_as, with_checks
from evotrainer.records import Trajectory

DOMAIN = "code"
FALSIFIES = True
STRENGTHS = (0.02, 0.05, 0.2, 0.5)
"""Shares of validation problems."""
_SUCCESS = 0.95


def inject(rows: Sequence[Trajectory], strength: float, rng: Rng) -> list[Trajectory]:
    """Return the rows, of both splits, with that share of validation problems taken from training."""
    trained = sorted({row.problem_id for row in rows if row.split == "train"})
    held = sorted({row.problem_id for row in rows if row.split == "validation"} - set(trained))
    count = max(1, round(strength * len(held)))
    chosen = rng.choice(held, count, replace=False).tolist()
    source = dict(zip(chosen, rng.choice(trained, count, replace=count > len(trained)).tolist(), strict=True))
    return [
        _seen(row, source[row.problem_id], rng) if row.split == "validation" and row.problem_id in source else row
        for row in rows
    ]


def _seen(row: Trajectory, problem: str, rng: Rng) -> Trajectory:
    row = row.model_copy(update={"problem_id": problem})
    return graded_as(with_checks(row, all_passed(row)), 1.0) if rng.random() < _SUCCESS else row
