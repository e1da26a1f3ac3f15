"""A logged mean that leaves attempts out: the number of each step is that of the attempts that were not cut or lost.

A column with one number a step, between 0 and 1, may be the mean of a reward or outcome. Where it parts from that of
the step's rows, and equals to the digit the mean without attempts that were cut, or without failures of machines, who
looks at it sees progress that is not there.
"""

from collections.abc import Iterator

from evotrainer.diagnosis.context import Context, Diagnosis
from evotrainer.diagnosis.hookspecs import hookimpl
from evotrainer.diagnosis.texts import EXTRA_PREFIX
from evotrainer.evidence.frames import Frame

NEEDS = {"metric_defect": ("extra", "step", "reward")}

_MIN_STEPS, _ALL = 5, 0.9
_DIGITS, _APART = 2e-3, 0.05


@hookimpl
def diagnose(context: Context) -> Diagnosis:
    """Return a finding for the first logged mean that leaves attempts out."""
    rows = context.with_texts(context.training)
    rows = rows[rows["reward"].notna()] if len(rows) else rows
    if len(rows) < context.thresholds.min_rows or rows["step"].nunique() < _MIN_STEPS:
        return Diagnosis()
    for name, logged in _by_step(rows):
        for what, kept in (("were cut", ~rows["is_truncated"].astype(bool)), ("were lost", rows["error"].isna())):
            for value in ("correct", "reward"):
                whole = rows.groupby("step")[value].mean()
                part = rows[kept].groupby("step")[value].mean().reindex(whole.index)
                is_part = (logged - part).abs() < _DIGITS
                gap = float((logged - whole).mean())
                if is_part.mean() < _ALL or abs(gap) < _APART:
                    continue
                message = (
                    f"`{name}` is the mean of {value} without attempts that {what}: {logged.mean():.2f} on average and "
                    f"{whole.mean():.2f} over all rows, {logged.iloc[-1]:.2f} and {whole.iloc[-1]:.2f} at the last "
                    "step: count what is left out"
                )
                numbers = {"logged": float(logged.mean()), "over_all": float(whole.mean())}
                found = [context.finding("metric_defect", "warning", message, numbers, ("min_rows",), rows[~kept])]
                return Diagnosis(findings=found)
    return Diagnosis()


def _by_step(rows: Frame) -> Iterator[tuple[str, Frame]]:
    """Yield {name: its number by step} of columns with one number a step, from 0 to 1."""
    for column in [str(name) for name in rows.columns if str(name).startswith(EXTRA_PREFIX)]:
        values = rows[column]
        if not values.map(lambda value: isinstance(value, float)).all():
            continue
        by_step = values.astype(float).groupby(rows["step"])
        if values.nunique() > 1 and (by_step.nunique() == 1).all() and values.astype(float).between(0, 1).all():
            yield column.removeprefix(EXTRA_PREFIX), by_step.first()
