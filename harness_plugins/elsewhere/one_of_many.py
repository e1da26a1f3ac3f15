"""Problems that accept several answers, and are hardly ever solved: the grader may know one of them alone.

"Print any of them" needs a checker that tells whether an answer is valid. Where a grader compares with the one that the
reference printed, other valid answers fail. It is a warning where the problems whose statement accepts several answers
are solved far less often than the others, significantly over problems.
"""

import math

from evotrainer.diagnosis.context import Context, Diagnosis, t_limit
from evotrainer.diagnosis.hookspecs import hookimpl

NEEDS = {"metric_defect": ("reward",)}

_MIN_PROBLEMS = 5


@hookimpl
def diagnose(context: Context) -> Diagnosis:
    """Warn where problems that accept any valid answer are solved far less often than others."""
    limits, rows = context.thresholds, context.unequally_paid
    if rows.empty:
        return Diagnosis()
    best = (rows["reward"] >= rows["reward"].max()).groupby(rows["problem_id"]).mean()
    accepts = rows["accepts_any"].astype(bool).groupby(rows["problem_id"]).max()
    several, others = best[accepts], best[~accepts]
    if len(several) < _MIN_PROBLEMS or len(others) < limits.min_groups:
        return Diagnosis()
    gap = float(others.mean() - several.mean())
    error = math.sqrt(float(several.var()) / len(several) + float(others.var()) / len(others))
    if gap - t_limit(limits.alpha, min(len(several), len(others))) * error <= limits.family_gap:
        return Diagnosis()
    message = (
        f"{len(several)} problems accept any valid answer by their statement, and {several.mean():.0%} of attempts "
        f"there earn the most, {others.mean():.0%} at others: see whether the grader checks answers or compares them "
        "with one, and read what it refused"
    )
    numbers = {"problems": len(several), "solved": float(several.mean()), "others": float(others.mean())}
    shown = rows[rows["accepts_any"].astype(bool) & (rows["reward"] < rows["reward"].max())]
    limit_names = ("family_gap", "min_groups", "alpha")
    return Diagnosis(findings=[context.finding("metric_defect", "warning", message, numbers, limit_names, shown)])
