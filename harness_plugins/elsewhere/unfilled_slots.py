"""Prompts with a place that nothing was filled into (`{problem}`, `None`): their attempts cannot know what is asked.

Braces also stand in code and in forms to be filled in. It is a finding where the same place stands in the prompts of
some problems alone, and more attempts at these earn the least reward than at others: critical where nearly all do. Who
has to guess among few answers is right at times. A part of the reward, as for a form, may be paid to any answer: where
nearly all attempts with the place stay below the middle of the reward, and far fewer others do, it is a warning. Forms
to be filled in may be graded strictly: the place is named for an input, or its prompts are of few texts.
"""

import re

import scipy

from evotrainer.diagnosis.context import Context, Diagnosis
from evotrainer.diagnosis.hookspecs import hookimpl
from evotrainer.evidence.frames import Frame
from evotrainer.records import Finding

NEEDS = {"metric_defect": ("num_chars", "reward")}

_MOSTLY, _HALF, _MORE, _SOME = 0.9, 0.5, 0.2, 0.7
"""Shares of attempts with an empty place that earn the least: critical, a warning, and how many more than of others.

The last is the share of all attempts that have one at most.
"""
_MIN_ROWS, _MIN_OTHERS, _PLACES = 12, 12, 3
_NEVER = 0.95
"""Share of attempts with an empty place that stay below the middle of the reward."""
_FEW_TEXTS = 3.0
"""Attempts by texts of prompts with an empty place, in those of others."""
_INPUT = re.compile(
    r"problem|question|query|input|task|text|context|passage|document|article|note|story|instruction|content|sample",
    re.I,
)


@hookimpl
def diagnose(context: Context) -> Diagnosis:
    """Return a finding where prompts with an empty place are never paid."""
    rows = context.unequally_paid
    if rows.empty or not (rows["empty_slot"] != "").any():
        return Diagnosis()
    least, middle = rows["reward"].min(), rows["reward"].quantile([0.02, 0.98]).mean()
    for slot in rows.loc[rows["empty_slot"] != "", "empty_slot"].value_counts().index[:_PLACES]:
        found = _judged(context, rows, slot, rows["reward"] <= least, _HALF, "earn the least reward")
        if not found and (_INPUT.search(slot) or _is_of_few_texts(rows, slot)):
            found = _judged(context, rows, slot, rows["reward"] < middle, _NEVER, "earn little")
        if found:
            return Diagnosis(findings=found)
    return Diagnosis()


def _judged(context: Context, rows: Frame, slot: str, is_low: Frame, share: float, what: str) -> list[Finding]:
    """Return the finding where attempts with an empty place are paid little, this share of them, and others are not."""
    is_empty = rows["empty_slot"] == slot
    found, others = rows[is_empty], rows[~is_empty]
    if len(found) < _MIN_ROWS or len(others) < _MIN_OTHERS or is_empty.mean() > _SOME:
        return []
    shares = [float(is_low[part.index].mean()) for part in (found, others)]
    table = [[int(is_low[part.index].sum()), int((~is_low[part.index]).sum())] for part in (found, others)]
    if shares[0] < max(share, shares[1] + _MORE):
        return []
    if scipy.stats.fisher_exact(table, alternative="greater").pvalue >= context.thresholds.alpha:
        return []
    message = (
        f"the prompts of {len(found)} attempts hold {slot!r}, a place that nothing was filled into; {shares[0]:.0%} of "
        f"them {what}, {shares[1]:.0%} of others: see which key of the data the template reads"
    )
    numbers = {"attempts": len(found), "share": shares[0], "share_others": shares[1]}
    severity = "critical" if share == _HALF and shares[0] >= _MOSTLY else "warning"
    return [context.finding("metric_defect", severity, message, numbers, ("alpha",), found)]


def _is_of_few_texts(rows: Frame, slot: str) -> bool:
    """Tell whether prompts with an empty place are the same ones again, where others ask different things."""
    if "asked" not in rows:
        return False
    is_empty = rows["empty_slot"] == slot
    repeats = [len(part) / max(part["asked"].nunique(), 1) for part in (rows[is_empty], rows[~is_empty])]
    return repeats[0] >= _FEW_TEXTS * repeats[1]
