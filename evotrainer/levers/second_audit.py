"""The second audit: did training under a correction move what it pays, and not what is true?

Attempts of the first and of the last third of the run's steps are graded by the stronger verifier. Where the corrected
reward rises by more than chance and audited correctness does not, the policy has found what the correction pays beyond
the truth: the correction is outgrown, and its features are read by none that follows. Groups are the independent units.
"""

import math
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np

from evotrainer.config import Config
from evotrainer.levers.audit import Audit, audit_rows
from evotrainer.records import Finding, Trajectory

OUTGROWN = "correction_outgrown"
RISE = 2.0
"""Standard errors by which the corrected reward must rise."""
FLAT = 1.0
"""Standard errors within which audited correctness counts as flat, or fallen."""
MIN_GROUPS = 4


def second_audit(root: Path, recipe: Config, rows: Sequence[Trajectory], version: str) -> list[Finding]:
    """Return the finding that a correction is outgrown, or none.

    Args:
        root: what domain.audit_path starts from.
        recipe: that trained; without reward.correction or domain.audit_path nothing is asked.
        rows: its training attempts, with the rewards that were paid.
        version: whose finding it is.

    """
    if not recipe.reward.correction or not recipe.domain.audit_path:
        return []
    steps = np.array([row.step for row in rows if row.error is None])
    if len(steps) == 0:
        return []
    low, high = np.quantile(steps, [1 / 3, 2 / 3])
    half = replace(recipe, budget=replace(recipe.budget, audit_rows=max(8, recipe.budget.audit_rows // 2)))
    early = audit_rows(root, half, [row for row in rows if row.step <= low])
    late = audit_rows(root, half, [row for row in rows if row.step >= high])
    return judged(early, late, version)


def judged(early: Audit, late: Audit, version: str) -> list[Finding]:
    """Return the finding on two audits of one run."""
    paid = _change(_by_group(early, False), _by_group(late, False))
    true = _change(_by_group(early, True), _by_group(late, True))
    if paid is None or true is None or paid[0] <= RISE * paid[1] or true[0] > FLAT * true[1]:
        return []
    numbers = {"reward_change": paid[0], "truth_change": true[0], "audited_rows": float(len(early.rows + late.rows))}
    return [
        Finding(
            mode=OUTGROWN,
            severity="warning",
            diagnostic="second_audit",
            version=version,
            message=f"under reward.correction the corrected reward rises by {paid[0]:.3f} over the run and audited "
            f"correctness by {true[0]:+.3f}: the correction is expired, its features are read by no later one",
            numbers={name: round(value, 6) for name, value in numbers.items()},
            thresholds={"rise": RISE, "flat": FLAT},
            trajectory_ids=[row.trajectory_id for row in late.corrected if not row.correct][:20],
        )
    ]


def _by_group(audit: Audit, is_truth: bool) -> list[float]:
    groups: dict[str, list[float]] = {}
    for row, true in zip(audit.rows, audit.truth, strict=True):
        groups.setdefault(row.group_id, []).append(true if is_truth else row.reward or 0.0)
    return [float(np.mean(values)) for values in groups.values()]


def _change(before: Sequence[float], after: Sequence[float]) -> tuple[float, float] | None:
    """Return the difference of means and its standard error; None for too few groups."""
    if min(len(before), len(after)) < MIN_GROUPS:
        return None
    error = math.sqrt(np.var(before, ddof=1) / len(before) + np.var(after, ddof=1) / len(after))
    return float(np.mean(after) - np.mean(before)), float(error)
