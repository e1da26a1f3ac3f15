"""Columns that are empty in some rows, where the reward or a term of it has then one value always.

1. Lists of tests, references and checks belong to a problem. Where such a column is empty at some problems, all
   attempts there have the greatest reward, and at other problems only some, nothing was checked.
2. A reply of a grader is an attempt's. Where it is empty and a term of the reward is then the least always, though as
   many of these attempts are right as of the others, silence was stored as a mark.
"""

from evotrainer.diagnosis.context import Context, Diagnosis
from evotrainer.diagnosis.hookspecs import hookimpl
from evotrainer.diagnosis.texts import EXTRA_PREFIX, outside_columns
from evotrainer.evidence.frame_columns import TERM_PREFIX
from evotrainer.evidence.frames import Frame
from evotrainer.records import Finding

NEEDS = {"weak_verifier": ("extra", "reward"), "judge_default": ("extra", "reward_terms", "correct")}

_MIN_PROBLEMS, _MIN_ROWS = 5, 12
_ALWAYS, _OFTEN = 0.98, 0.6
_AS_RIGHT = 0.75
"""How many are right where a reply is empty, by those where it is not, from which the attempt is no reason for it."""


@hookimpl
def diagnose(context: Context) -> Diagnosis:
    """Return a finding for the first column whose emptiness is always paid, or always marked down."""
    rows = context.unequally_paid
    for name in outside_columns(rows):
        is_empty = rows[name].map(lambda value: isinstance(value, str) and value.strip() in ("", "[]", "{}"))
        is_empty = is_empty.astype(bool)  # of no rows, the type of the column is kept
        if _MIN_ROWS <= is_empty.sum() <= len(rows) - _MIN_ROWS:
            found = _nothing_checked(context, rows, name, is_empty) or _silence_marked(context, rows, name, is_empty)
            if found:
                return Diagnosis(findings=found)
    return Diagnosis()


def _nothing_checked(context: Context, rows: Frame, name: str, is_empty: Frame) -> list[Finding]:
    by_problem = is_empty.groupby(rows["problem_id"])
    all_paid = (rows["reward"] >= rows["reward"].max()).groupby(rows["problem_id"]).mean() >= _ALWAYS
    empty = by_problem.max()
    if (by_problem.min() != empty).any() or not empty.sum() >= _MIN_PROBLEMS or not all_paid[empty].all():
        return []
    elsewhere = float(all_paid[~empty].mean())
    if elsewhere ** int(empty.sum()) > context.thresholds.alpha:
        return []
    paid = rows[is_empty]
    message = (
        f"`{name.removeprefix(EXTRA_PREFIX)}` is empty at {int(empty.sum())} problems, and all {len(paid)} attempts "
        f"there have the greatest reward; so do all attempts at {elsewhere:.0%} of other problems: what has nothing to "
        "check passes, leave such problems out"
    )
    numbers = {"problems": int(empty.sum()), "attempts": len(paid), "elsewhere": elsewhere}
    return [context.finding("weak_verifier", "critical", message, numbers, ("alpha",), paid)]


def _silence_marked(context: Context, rows: Frame, name: str, is_empty: Frame) -> list[Finding]:
    silent, others = rows[is_empty], rows[~is_empty]
    right, usual = silent["correct"].mean(), others["correct"].mean()
    if not right >= _AS_RIGHT * usual > 0 or silent["problem_id"].nunique() < _MIN_PROBLEMS:
        return []
    for term in [str(column) for column in rows.columns if str(column).startswith(TERM_PREFIX)]:
        least = rows[term].min()
        if (silent[term] <= least).mean() < _ALWAYS or (others[term] <= least).mean() > 1 - _OFTEN:
            continue
        message = (
            f"`{name.removeprefix(EXTRA_PREFIX)}` is empty in {len(silent)} attempts, which all have "
            f"{term.removeprefix(TERM_PREFIX)} {least:g}, as {(others[term] <= least).mean():.0%} of others do; "
            f"{right:.0%} of them are right, {usual:.0%} of others: silence is stored as a mark, ask again or mask them"
        )
        numbers = {"attempts": len(silent), "right": float(right), "right_elsewhere": float(usual)}
        return [context.finding("judge_default", "critical", message, numbers, (), silent)]
    return []
