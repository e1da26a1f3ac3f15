"""A mix whose parts have system prompts of their own, and from a step on one prompt stands before all of them.

A loader or template that puts one preamble everywhere takes away what a part was told, or tells it what is another
part's. Which part a question is of is known by its domain, or by its first signs: before the step those must tell the
prompt. A run that goes on to one part, or to a new one, has questions of that part alone. Prompts that are drawn at
random are not told by the question. A new prompt that is meant for all does no harm; here the reward falls, or attempts
come to decline and are paid less for it.
"""

import pandas as pd

from evotrainer.diagnosis.context import Context, Diagnosis, change, graded, z_limit
from evotrainer.diagnosis.hookspecs import hookimpl
from evotrainer.diagnosis.pay import pay_of
from evotrainer.evidence.frames import Frame

NEEDS = {"metric_defect": ("step", "reward")}

_NEARLY_ALL, _MOST, _MIN_STEPS = 0.95, 0.8, 3
"""Share of attempts that have the one prompt, the greatest share of a prompt before, and steps on either side."""
_TOLD, _KNOWN, _MIN_GROUPS, _PART = 0.9, 0.4, 8, 0.15
"""Groups whose prompt the question tells before, those after whose part is known, fewest groups, least share of a part.
"""
_DECLINES = 0.1
"""Rise of the share of attempts that decline."""


@hookimpl
def diagnose(context: Context) -> Diagnosis:
    """Warn where one system prompt takes the place of several, and harms."""
    limits, rows = context.thresholds, context.with_texts(graded(context.training))
    if len(rows) < limits.min_rows or rows["system_prompt"].nunique() < 2:
        return Diagnosis()
    since = _one_since(rows)
    if since is None:
        return Diagnosis()
    rows = rows.assign(_part=rows["domain"] if rows["domain"].nunique() > 1 else rows["question_begin"])
    groups = rows.groupby("group")[["step", "system_prompt", "_part"]].first()
    parts = _parts_after(groups[groups["step"] < since], groups[groups["step"] >= since])
    if parts < 2:
        return Diagnosis()
    before, after = rows[rows["step"] < since], rows[rows["step"] >= since]
    harm = _less_reward(context, before, after) or _declining(context, before, after)
    if not harm:
        return Diagnosis()
    message = (
        f"from step {since} on one system prompt stands before all prompts, where {parts} parts of the mix had prompts "
        f"of their own; {harm}: give each part its own again"
    )
    shown = pd.concat([before.tail(3), after.tail(3)])
    numbers = {"since": since, "parts": parts}
    return Diagnosis(findings=[context.finding("metric_defect", "warning", message, numbers, ("alpha",), shown)])


def _one_since(rows: Frame) -> int | None:
    """Return the step from which on nearly all attempts have one prompt, where several stood side by side before."""
    last = rows.loc[rows["step"] == rows["step"].max(), "system_prompt"].mode().iloc[0]
    share = (rows["system_prompt"] == last).groupby(rows["step"]).mean().sort_index()
    others = share.index[share < _NEARLY_ALL]
    before, after = share[share.index <= others.max()], share[share.index > others.max()]
    if min(len(before), len(after)) < _MIN_STEPS or before.mean() > 1 - _MOST:
        return None
    prompts = rows.loc[rows["step"] <= others.max(), "system_prompt"]
    return None if prompts.value_counts(normalize=True).iloc[0] > _MOST else int(after.index[0])


def _parts_after(before: Frame, after: Frame) -> int:
    """Return how many prompts the questions after the step would have had before it; 0 where questions do not tell."""
    counts = pd.crosstab(before["_part"], before["system_prompt"])
    size, most = counts.sum(axis=1), counts.max(axis=1)
    again = size >= 2
    num_again = int(size[again].sum())
    if num_again < _MIN_GROUPS or most[again].sum() < _TOLD * num_again:
        return 0
    known = after["_part"].map(counts.idxmax(axis=1)).dropna()
    if len(known) < max(_MIN_GROUPS, _KNOWN * len(after)):
        return 0
    return int((known.value_counts(normalize=True) >= _PART).sum())


def _less_reward(context: Context, before: Frame, after: Frame) -> str:
    """Say how the reward falls; nothing where it does not."""
    early, late = (part.groupby("group")["reward"].mean().dropna() for part in (before, after))
    found = change(early, late, context.thresholds.min_groups)
    if found is None or found.z > -z_limit(context.thresholds.alpha):
        return ""
    return f"the mean reward went from {found.early:.3g} to {found.late:.3g}"


def _declining(context: Context, before: Frame, after: Frame) -> str:
    """Say how attempts come to decline at a cost; nothing where they do not."""
    limit = z_limit(context.thresholds.alpha)
    early, late = (part.groupby("group")["declined"].mean() for part in (before, after))
    found, pay = change(early, late, context.thresholds.min_groups), pay_of(after, after["declined"] > 0)
    if found is None or found.late - found.early < _DECLINES or found.z < limit:
        return ""
    if pay is None or pay.z > -limit:
        return ""
    return f"{found.early:.0%} of attempts declined before and {found.late:.0%} since, which is paid less"
