"""Outages of tools that are stored as failures of the policy.

An attempt is hit where half of its tools' answers name a failure of a machine, or where most of them are one text that
no other steps know. The finding needs hit attempts at several problems that nearly all fail while others succeed.
"""

import scipy

from evotrainer.diagnosis.context import Context, Diagnosis
from evotrainer.diagnosis.hookspecs import hookimpl
from evotrainer.evidence.frames import Frame
from evotrainer.records import Finding

NEEDS = {"infrastructure_zeros": ("num_tool_calls", "reward")}

_HALF = 0.5
_MIN_HIT, _MIN_PROBLEMS = 8, 4
_FAILED = 0.9
_ELSEWHERE = 0.01
_MAX_TEXTS = 200


@hookimpl
def diagnose(context: Context) -> Diagnosis:
    """Return a finding where tools were down and attempts failed by it."""
    rows = context.unequally_paid
    if rows.empty:
        return Diagnosis()
    named = rows["machine_share"] >= _HALF
    return Diagnosis(findings=_judge(context, rows, named, "name a machine's failure") or _sudden(context, rows))


def _sudden(context: Context, rows: Frame) -> list[Finding]:
    """Find an answer of tools that fills the attempts of a few steps and is unknown in others."""
    known = rows[rows["usual_answer"] != ""]
    steps = rows["step"].nunique()
    for text in known["usual_answer"].value_counts().index[:_MAX_TEXTS]:
        marked = rows["usual_answer"] == text
        often = marked.groupby(rows["step"]).mean()
        struck = often[often > _HALF].index
        rest = rows[~rows["step"].isin(struck)]
        is_elsewhere = (rest["usual_answer"] == text).mean() > _ELSEWHERE
        if marked.sum() < _MIN_HIT or not len(struck) or len(struck) > steps / 2 or is_elsewhere:
            continue
        found = _judge(context, rows, marked, f"are {text!r}, which other steps do not know")
        if found:
            return found
    return []


def _judge(context: Context, rows: Frame, marked: Frame, what: str) -> list[Finding]:
    hit, others = rows[marked], rows[~marked]
    if len(hit) < _MIN_HIT or hit["problem_id"].nunique() < _MIN_PROBLEMS or others.empty:
        return []
    least = rows["reward"].min()
    failed, usual = (hit["reward"] <= least).mean(), (others["reward"] <= least).mean()
    table = [[int((part["reward"] <= least).sum()), int((part["reward"] > least).sum())] for part in (hit, others)]
    p_value = float(scipy.stats.fisher_exact(table, alternative="greater").pvalue)
    if failed < _FAILED or p_value >= context.thresholds.alpha:
        return []
    message = (
        f"in {len(hit)} of {len(rows)} attempts most answers of tools {what}; {failed:.0%} of them have the least "
        f"reward, {usual:.0%} of the others: tools were down, mask these attempts"
    )
    numbers = {"hit": len(hit), "failed": float(failed), "p_value": p_value}
    return [context.finding("infrastructure_zeros", "critical", message, numbers, ("alpha",), hit)]
