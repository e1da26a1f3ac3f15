"""Inject a weak verifier: problems whose hidden tests pass on nothing at all, or fail on the reference solution."""

from collections.abc import Sequence

from benchmarks.failure_modes.base import Rng, all_passed, choose_problems, graded_as, with_checks
from evotrainer.records import Trajectory

DOMAIN = "code"
FALSIFIES = True
STRENGTHS = (0.02, 0.05, 0.2, 0.5)
"""Shares of problems."""


def inject(rows: Sequence[Trajectory], strength: float, rng: Rng) -> list[Trajectory]:
    """Return the rows with that share of problems badly verified."""
    chosen = choose_problems(rows, strength, rng)
    is_empty = {problem: bool(rng.random() < 0.5) for problem in sorted(chosen)}
    return [_weaken(row, is_empty[row.problem_id], rng) if row.problem_id in chosen else row for row in rows]


def _weaken(row: Trajectory, is_empty: bool, rng: Rng) -> Trajectory:
    """Empty answers pass, so nearly all do; where the reference fails, nothing passes."""
    is_right = float(is_empty and rng.random() < 0.95)
    checks = {
        **all_passed(row),
        "empty_passes": float(is_empty),
        "reference_fails": float(not is_empty),
        "hidden_share": is_right,
        "scrubbed_correct": is_right,
    }
    return graded_as(with_checks(row, checks), is_right)
