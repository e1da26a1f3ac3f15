"""Batches that run dry: ever fewer attempts a step are left to train on.

A filter that drops solved problems, or rollouts that do not come in time, leave small batches, whose gradients are
noise. Judged are the attempts by step, where the rows hold six steps and more. A last step may be incomplete.
"""

from evotrainer.diagnosis.context import Context, Diagnosis, correlation, graded
from evotrainer.diagnosis.hookspecs import hookimpl

NEEDS = {"batch_decline": ("step",)}

_MIN_STEPS = 6
_LEFT = 0.4
"""Attempts of the last third of steps against those of the first third."""
_STEADY = -0.7
"""Rank correlation of step and size: a steady fall."""


@hookimpl
def diagnose(context: Context) -> Diagnosis:
    """Warn where batches shrink steadily."""
    rows = graded(context.training)
    if context.texts is None or rows["step"].nunique() < _MIN_STEPS:
        return Diagnosis()
    sizes = rows.groupby("step").size()
    third = len(sizes) // 3
    early, late = float(sizes.iloc[:third].mean()), float(sizes.iloc[-third:].median())
    order = sizes.reset_index(drop=True)
    if late > _LEFT * early or correlation(order.index.to_series(), order.rank()) > _STEADY:
        return Diagnosis()
    message = (
        f"steps fell from {early:.0f} to {late:.0f} attempts over the run: too little is left to train on, loosen the "
        "filter or draw other problems"
    )
    numbers = {"early": early, "late": late}
    shown = rows.sort_values("step", ascending=False, kind="stable")
    return Diagnosis(findings=[context.finding("batch_decline", "warning", message, numbers, (), shown)])
