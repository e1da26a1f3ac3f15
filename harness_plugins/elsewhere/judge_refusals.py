"""A judge that declines to judge, or fails, and whose words are read as the least grade.

A column beside the attempts holds a refusal (of several languages), or says that no grade came. Such attempts at
several problems nearly all have the least reward, and others have more. Where a measure says that some of them are
right, the judge refuses what is right. Where they have one other reward, which others hardly have, it is a default.
So it is where all of them have one reward in the middle, which fewer of the others have.
The measure is correctness, or a column of 0 and 1 that the reward follows wherever the judge spoke. Where correctness
or gold answers, and not the reward again, say that all of them are wrong, their reward is deserved.
"""

import scipy

from evotrainer.diagnosis.context import Context, Diagnosis
from evotrainer.diagnosis.followed_measures import OUTCOMES, followed_measures
from evotrainer.diagnosis.hookspecs import hookimpl
from evotrainer.diagnosis.texts import EXTRA_PREFIX
from evotrainer.evidence.frame_columns import TERM_PREFIX
from evotrainer.evidence.frames import Frame
from evotrainer.records import Finding

NEEDS = {"judge_refuses_right": ("extra", "reward"), "infrastructure_zeros": ("extra", "reward")}

_MIN_ROWS, _MIN_PROBLEMS = 8, 4
_MOSTLY, _FEW_RIGHT = 0.9, 0.1
_ELSEWHERE = 0.3
"""Share of other attempts with the reward that a judge that failed gives."""
_ALL, _ELSEWHERE_ALL = 0.98, 0.6
"""The same where all that it failed at have a reward between the least and the greatest."""


@hookimpl
def diagnose(context: Context) -> Diagnosis:
    """Return a finding where a judge's refusals are paid as failures: critical where right attempts are among them."""
    rows = context.unequally_paid
    rows = rows[rows["in_loss"] != 0.0]
    if rows.empty:
        return Diagnosis()
    declined = rows["grader_declines"]
    for name in declined[declined != ""].value_counts().index:
        is_hit = declined == name
        if _is_unpaid(context, rows, is_hit):
            return _judge(context, rows, is_hit, str(name))
        if default := _default(context, rows, is_hit, str(name)):
            return Diagnosis(findings=default)
    return Diagnosis()


def _is_unpaid(context: Context, rows: Frame, is_hit: Frame) -> bool:
    """Tell whether marked attempts at several problems have the least reward, more often than others."""
    hit, others, least = rows[is_hit], rows[~is_hit], rows["reward"].min()
    if len(hit) < _MIN_ROWS or hit["problem_id"].nunique() < _MIN_PROBLEMS or others.empty:
        return False
    table = [[int((part["reward"] <= least).sum()), int((part["reward"] > least).sum())] for part in (hit, others)]
    p_value = float(scipy.stats.fisher_exact(table, alternative="greater").pvalue)
    return table[0][0] >= _MOSTLY * len(hit) and p_value < context.thresholds.alpha


def _default(context: Context, rows: Frame, is_hit: Frame, name: str) -> list[Finding]:
    """Return a finding where marked attempts at several problems have one reward that others hardly have."""
    hit, others = rows[is_hit], rows[~is_hit]
    if len(hit) < _MIN_ROWS or hit["problem_id"].nunique() < _MIN_PROBLEMS or others.empty:
        return []
    usual = float(hit["reward"].mode().iloc[0])
    shares = [float(((part["reward"] - usual).abs() < 1e-9).mean()) for part in (hit, others)]
    is_between = rows["reward"].min() < usual < rows["reward"].max()
    is_all = is_between and shares[0] >= _ALL and shares[1] <= _ELSEWHERE_ALL
    if not is_all and (shares[0] < _MOSTLY or shares[1] > _ELSEWHERE):
        return []
    message = (
        f"in {len(hit)} of {len(rows)} attempts `{name}` holds a refusal or an error in place of a judgement, and "
        f"{shares[0]:.0%} of them have the reward {usual:g}, which {shares[1]:.0%} of others have: mask these "
        "attempts, and ask the judge again"
    )
    numbers = {"refused": len(hit), "default": usual, "elsewhere": shares[1]}
    return [context.finding("infrastructure_zeros", "warning", message, numbers, (), hit)]


def _judge(context: Context, rows: Frame, is_hit: Frame, name: str) -> Diagnosis:
    hit, measures = rows[is_hit], followed_measures(rows, ~is_hit)
    rights = {column: hit[column] >= 1.0 for column in measures}
    best = max(rights, key=lambda column: rights[column].sum(), default="")
    right = int(rights[best].sum()) if best else 0
    is_right = right >= max(_MIN_ROWS, _FEW_RIGHT * len(hit))
    if not is_right and any(_is_apart(rows[~is_hit], column) for column in OUTCOMES if column in measures):
        return Diagnosis()
    named = best.removeprefix(EXTRA_PREFIX).removeprefix(TERM_PREFIX)
    told = f", though {right} of them are right by {named}" if is_right else ""
    message = (
        f"in {len(hit)} of {len(rows)} attempts `{name}` holds a refusal or an error in place of a judgement, and they "
        f"have the least reward{told}: mask these attempts, and ask the judge again or another one"
    )
    mode, severity = ("judge_refuses_right", "critical") if is_right else ("infrastructure_zeros", "warning")
    numbers = {"refused": len(hit), "right": right}
    shown = hit[rights[best]] if is_right else hit
    return Diagnosis(findings=[context.finding(mode, severity, message, numbers, ("alpha",), shown)])


def _is_apart(spoken: Frame, column: str) -> bool:
    """Tell whether a measure is more than the reward again: some reward stands with both of its values."""
    return bool((spoken.groupby("reward")[column].nunique() > 1).any())
