"""A reward that falls over the run, where no correctness is recorded.

A policy that is trained for a reward should not earn less of it in the end. Harder problems are the healthy reason: a
run is not judged where a number of the problem, such as a level, rises over the steps.
"""

from evotrainer.diagnosis.context import Context, Diagnosis, correlation, graded, trend, z_limit
from evotrainer.diagnosis.hookspecs import hookimpl
from evotrainer.diagnosis.texts import EXTRA_PREFIX
from evotrainer.evidence.frames import Frame

NEEDS = {"score_decline": ("reward", "step")}

_RISES = 0.5


@hookimpl
def diagnose(context: Context) -> Diagnosis:
    """Warn where the mean reward falls."""
    limits, rows = context.thresholds, context.with_texts(graded(context.training))
    if rows.empty or rows["correct"].notna().any() or _gets_harder(rows):
        return Diagnosis()
    found = trend(rows, "reward", limits.min_groups)
    if found is None or found.z > -z_limit(limits.alpha):
        return Diagnosis()
    if found.early - found.late < limits.divergence * float(rows["reward"].std()):
        return Diagnosis()
    message = (
        f"the mean reward fell from {found.early:.3g} to {found.late:.3g} over the run: look at what changed, and "
        "lower the learning rate"
    )
    numbers = {"early": found.early, "late": found.late, "z": found.z}
    shown = rows.sort_values("step", ascending=False, kind="stable")
    return Diagnosis(
        findings=[context.finding("score_decline", "warning", message, numbers, ("divergence", "alpha"), shown)]
    )


def _gets_harder(rows: Frame) -> bool:
    """Tell whether a number of the problem, the same for all its attempts, rises over the steps."""
    groups = rows.groupby("group")
    for name in [str(column) for column in rows.columns if str(column).startswith(EXTRA_PREFIX)]:
        values = rows[name]
        if not values.map(lambda value: isinstance(value, float)).all() or (groups[name].nunique() > 1).any():
            continue
        by_group = groups.agg(step=("step", "first"), value=(name, "first")).astype(float)
        if by_group["value"].nunique() > 1 and (by_group["value"] % 1 == 0).all():
            is_of_step = by_group.groupby("step")["value"].nunique().max() == 1 and by_group["value"].nunique() > 8
            if not is_of_step and correlation(by_group["step"].rank(), by_group["value"].rank()) > _RISES:
                return True
    return False
