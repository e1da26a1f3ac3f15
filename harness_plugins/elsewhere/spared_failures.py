"""Failures that earn more than others because they left out what all successes do, and that come up over the run.

A rollout that never submits keeps the reward that it began with, and a failed submission is fined: the policy learns
not to submit. It is a warning where every attempt with the greatest reward has done something (a column of yes and no
tells), failures that have not done it earn more than all failures that have, and their share rises. Where solving rises
as well, a policy may learn when to abstain.
"""

from evotrainer.diagnosis.context import Context, Diagnosis, graded, trend, z_limit
from evotrainer.diagnosis.hookspecs import hookimpl
from evotrainer.diagnosis.texts import EXTRA_PREFIX, outside_columns
from evotrainer.evidence.frames import Frame

NEEDS = {"timidity": ("extra", "reward", "step")}

_MIN_ROWS, _MIN_PROBLEMS = 16, 5
_ALL, _NEARLY_ALL, _RISE = 0.99, 0.95, 0.15


@hookimpl
def diagnose(context: Context) -> Diagnosis:
    """Warn where leaving something out is the cheapest way to fail, and the policy takes it."""
    limits, rows = context.thresholds, context.with_texts(graded(context.training))
    rows = rows[rows["reward"].notna()]
    if len(rows) < limits.min_rows or rows["reward"].nunique() < 3:
        return Diagnosis()
    is_best = rows["reward"] >= rows["reward"].max()
    for name in [*outside_columns(rows), "is_submitted"]:
        if name not in rows or set(rows[name].dropna().unique()) != {0.0, 1.0}:
            continue
        did, left_out = rows[name] == 1.0, rows[name] == 0.0
        spared, fined = rows[left_out & ~is_best], rows[did & ~is_best]
        if left_out[is_best].mean() > 1 - _ALL or min(len(spared), len(fined)) < _MIN_ROWS:
            continue
        found = trend(rows.assign(_spared=(left_out & ~is_best).astype(float)), "_spared", limits.min_groups)
        if not _pays(spared, fined) or found is None or found.late - found.early < _RISE:
            continue
        solved = trend(rows.assign(_best=is_best.astype(float)), "_best", limits.min_groups)
        if found.z < z_limit(limits.alpha) or (solved is not None and solved.z > limits.outcome_rise):
            continue
        message = (
            f"attempts without `{name.removeprefix(EXTRA_PREFIX)}` never earn the most, but "
            f"{spared['reward'].mean():.2g} on average, and failures with it {fined['reward'].mean():.2g}; their share "
            f"went from {found.early:.0%} to {found.late:.0%} over the run: leaving it out is the cheapest way to "
            "fail, give it no more than a failure gets"
        )
        numbers = {"early": found.early, "late": found.late, "spared": float(spared["reward"].mean())}
        shown = spared.sort_values("step", ascending=False, kind="stable")
        return Diagnosis(findings=[context.finding("timidity", "warning", message, numbers, ("alpha",), shown)])
    return Diagnosis()


def _pays(spared: Frame, fined: Frame) -> bool:
    """Tell whether nearly all of the spared earn more than nearly all of the fined."""
    limit = fined["reward"].quantile(_NEARLY_ALL)
    return bool((spared["reward"] > limit).mean() >= _NEARLY_ALL and spared["problem_id"].nunique() >= _MIN_PROBLEMS)
