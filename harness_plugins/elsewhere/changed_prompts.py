"""Instructions that change within a run, and the reward falls with them.

A restart with another chat template or an old configuration loses or replaces the system prompt. Where nearly all
attempts before a step have one system prompt, and nearly none after it, the rewards of both sides are compared.
A chat template that was applied twice needs no comparison.
"""

import pandas as pd

from evotrainer.diagnosis.context import Context, Diagnosis, change, graded, z_limit
from evotrainer.diagnosis.hookspecs import hookimpl
from evotrainer.evidence.frames import Frame
from evotrainer.records import Finding

NEEDS = {"metric_defect": ("step", "reward")}

_MIN_STEPS = 4
_NEARLY_ALL, _HARDLY_ANY = 0.9, 0.1
_SOME = 0.05


@hookimpl
def diagnose(context: Context) -> Diagnosis:
    """Warn where the system prompt changes and the reward falls."""
    limits, rows = context.thresholds, context.with_texts(graded(context.training))
    if rows.empty or rows["step"].nunique() < _MIN_STEPS:
        return Diagnosis()
    if twice := _applied_twice(context, rows):
        return Diagnosis(findings=twice)
    since = _changed_at(rows)
    if since is None:
        return Diagnosis()
    before, after = rows[rows["step"] < since], rows[rows["step"] >= since]
    early, late = (part.groupby("group")["reward"].mean().dropna() for part in (before, after))
    found = change(early, late, limits.min_groups)
    if found is None or found.z > -z_limit(limits.alpha):
        return Diagnosis()
    message = (
        f"the system prompt is another one, or gone, from step {since} on, and the mean reward went from "
        f"{found.early:.3g} to {found.late:.3g}: compare the prompts before and after"
    )
    numbers = {"before": found.early, "after": found.late, "z": found.z}
    shown = pd.concat([before.tail(3), after.head(3)])
    return Diagnosis(findings=[context.finding("metric_defect", "warning", message, numbers, ("alpha",), shown)])


def _applied_twice(context: Context, rows: Frame) -> list[Finding]:
    nested = rows["nests_template"].astype(bool)
    if nested.mean() < _SOME:
        return []
    since = int(rows.loc[nested, "step"].min())
    message = (
        f"in {nested.mean():.0%} of attempts, from step {since} on, a turn of the prompt begins with the mark of "
        "another one: the chat template is applied twice"
    )
    numbers = {"share": float(nested.mean()), "since": since}
    return [context.finding("metric_defect", "warning", message, numbers, (), rows[nested])]


def _changed_at(rows: Frame) -> int | None:
    """Return the step from which on the system prompt of the first steps is hardly met any more."""
    first = rows.loc[rows["step"] == rows["step"].min(), "system_prompt"].mode().iloc[0]
    share = (rows["system_prompt"] == first).groupby(rows["step"]).mean().sort_index()
    gone = share[share <= _HARDLY_ANY]
    if gone.empty or not (share[share.index < gone.index[0]] >= _NEARLY_ALL).all():
        return None
    return int(gone.index[0]) if (share[share.index >= gone.index[0]] <= _HARDLY_ANY).all() else None
