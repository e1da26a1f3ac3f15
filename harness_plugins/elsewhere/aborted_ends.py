"""Conversations that whoever plays the user aborts, recorded and scored like those that came to their end.

A user's last words may end with a mark: ###STOP###, [ABORT], <out-of-scope>. Where attempts end with two marks, no
column tells them apart, and one of them says that the attempt is void, its score says nothing of the policy. So it is
with a mark whose attempts are paid by their problem alone, all or none, while others are not.
"""

import re

from evotrainer.diagnosis.context import Context, Diagnosis, significantly_below
from evotrainer.diagnosis.hookspecs import hookimpl
from evotrainer.diagnosis.texts import outside_columns
from evotrainer.evidence.frames import Frame

NEEDS = {"metric_defect": ("num_chars", "reward", "stop_reason")}

_VOID = re.compile(
    r"out.?of.?(?:scope|role|character|domain|bounds?)|abort|error|fail|crash|invalid|void|cancel|time.?(?:out|limit)"
    r"|interrupt|disconnect|hang.?up|give.?up|unknown|refus|reject|max.?(?:turns|steps|len)|cannot|can.?t|not.?covered",
    re.I,
)
_SHARE, _MIN_ROWS, _MIN_PROBLEMS, _MAX_VALUES = 0.03, 12, 5, 12
_MIXED, _APART, _SOME = 0.3, 0.5, 0.05
"""Share of problems that pay two others unequally, of a column's values that differ where it tells marks apart, and of
attempts that are paid, or not, at least: where all are, the mark itself is the outcome."""


@hookimpl
def diagnose(context: Context) -> Diagnosis:
    """Warn of a mark of a void end that is recorded like another one, and scored."""
    rows = context.unequally_paid
    if rows.empty:
        return Diagnosis()
    rows = rows[(rows["end_mark"] != "") & ~rows["is_truncated"].astype(bool)]
    counts = rows["end_mark"].value_counts()
    for mark in counts.index if len(counts) > 1 else ():
        is_hit = rows["end_mark"] == mark
        hit, others = rows[is_hit], rows[~is_hit]
        is_enough = len(hit) >= max(_MIN_ROWS, _SHARE * len(rows)) and hit["problem_id"].nunique() >= _MIN_PROBLEMS
        if not is_enough or len(others) < len(hit) or _is_told(hit, others):
            continue
        if not (_VOID.search(mark) or _goes_by_problem(hit, others, context.thresholds.alpha)):
            continue
        paid, usual = (float((part["reward"] > rows["reward"].min()).mean()) for part in (hit, others))
        if not _SOME <= paid <= 1 - _SOME:
            continue
        reason, usual_mark = hit["stop_reason"].mode().iloc[0], others["end_mark"].mode().iloc[0]
        message = (
            f"{len(hit)} attempts end with {mark} by the user and {len(others)} with {usual_mark}, "
            f"all are recorded as '{reason}' and scored: {paid:.0%} of the former are paid, {usual:.0%} of the latter; "
            "who breaks off says nothing of what was asked for, record it apart and mask these attempts"
        )
        numbers = {"attempts": len(hit), "others": len(others), "paid": paid, "paid_others": usual}
        return Diagnosis(findings=[context.finding("metric_defect", "warning", message, numbers, (), hit)])
    return Diagnosis()


def _is_told(hit: Frame, others: Frame) -> bool:
    """Tell whether the stop reason, or another column of few values, is another one at most of these attempts."""
    for name in ("stop_reason", "in_loss", *outside_columns(hit)):
        values, beside = hit[name].astype(str), others[name].astype(str)
        if values.nunique() > _MAX_VALUES or beside.nunique() > _MAX_VALUES:
            continue
        shares = [part.value_counts(normalize=True) for part in (values, beside)]
        if float((shares[0].sub(shares[1], fill_value=0.0)).abs().sum() / 2) > _APART:
            return True
    return False


def _goes_by_problem(hit: Frame, others: Frame, alpha: float) -> bool:
    """Tell whether attempts at one problem are always paid alike with a mark, and often unequally without it."""
    pairs = [part.groupby("problem_id")["reward"].head(2).groupby(part["problem_id"]) for part in (hit, others)]
    several = [(two.nunique() > 1)[two.size() > 1] for two in pairs]
    if min(map(len, several)) < _MIN_PROBLEMS or several[1].mean() < _MIXED:
        return False
    return significantly_below(int(several[0].sum()), len(several[0]), float(several[1].mean()), alpha)
