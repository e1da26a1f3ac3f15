"""A reward that changes its scale at a step: another configuration, or another grader, since a restart.

The range of rewards of a step is compared with that of all steps before it. Where each step from one on has five times
the range of any before, or a fifth, the numbers on both sides do not compare, and advantages that are not divided by
their deviation grow with them.
"""

from evotrainer.diagnosis.context import Context, Diagnosis, graded
from evotrainer.diagnosis.hookspecs import hookimpl

NEEDS = {"metric_defect": ("reward", "step")}

_MIN_STEPS = 3
"""Steps on each side."""
_TIMES = 5.0


@hookimpl
def diagnose(context: Context) -> Diagnosis:
    """Warn where the scale of the reward jumps."""
    rows = graded(context.training)
    if context.texts is None or rows.empty:
        return Diagnosis()
    rewards = rows.groupby("step")["reward"]
    width = (rewards.max() - rewards.min()).dropna()
    for place in range(_MIN_STEPS, len(width) - _MIN_STEPS + 1):
        before, after = width.iloc[:place], width.iloc[place:]
        if not (before.min() > 0 and after.min() > 0):
            continue
        if after.min() < _TIMES * before.max() and before.min() < _TIMES * after.max():
            continue
        since = int(after.index[0])
        message = (
            f"rewards of a step span {before.median():.3g} before step {since} and {after.median():.3g} from it on: "
            "the scale of the reward has changed"
        )
        numbers = {"before": float(before.median()), "after": float(after.median())}
        shown = rows[rows["step"] >= since]
        return Diagnosis(findings=[context.finding("metric_defect", "warning", message, numbers, (), shown)])
    return Diagnosis()
