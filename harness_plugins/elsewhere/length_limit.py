"""Attempts that stand at exactly the longest length: cut by a limit that the rows do not tell.

Rows that tell why attempts stopped are judged by that. Elsewhere a limit shows in two ways.

1. Lengths of answers vary. A fifth of them at one largest value, while others take twenty and more, were cut there.
2. A limit may meet few attempts, those at the problems that need the longest answers. They are a heap all the same: far
   more have the largest length than any other one of long attempts. It costs reward where these attempts lack the mark
   of an answer that others close, have the least reward, and earn less than others at their problem.
"""

from evotrainer.diagnosis.context import Context, Diagnosis, z_limit
from evotrainer.diagnosis.hookspecs import hookimpl
from evotrainer.diagnosis.pay import pay_of
from evotrainer.diagnosis.texts.lengths import crowds_at_end, heaps_at_end, length_of
from evotrainer.diagnosis.texts.open_marks import lack_usual_mark
from evotrainer.evidence.frames import Frame

NEEDS = {"length_limit": ("num_chars",)}

_MIN_ROWS, _MIN_PROBLEMS, _MOSTLY = 8, 4, 0.9
"""Attempts of a heap, their problems, and the share of them that have the least reward."""


@hookimpl
def diagnose(context: Context) -> Diagnosis:
    """Warn where more attempts than the limit stand at the largest length, or a heap of them fails by it."""
    limits, rows = context.thresholds, context.with_texts(context.graded)
    if len(rows) < limits.min_rows or (rows["stop_reason"] != "unknown").any() or rows["is_truncated"].any():
        return Diagnosis()
    for name, at_end in crowds_at_end(rows, limits).items():
        longest = float(length_of(rows, name).max())
        count = int(at_end.sum())
        message = (
            f"{count} of {len(rows)} attempts have exactly the largest {name}, {longest:g} (limit "
            f"{limits.truncation:.0%}): they were cut, raise the budget or see why they do not end"
        )
        numbers = {"share": count / len(rows), "longest": longest}
        shown = rows[at_end].sort_values("step", ascending=False, kind="stable")
        limit_names = ("truncation", "limit_alpha")
        return Diagnosis(findings=[context.finding("length_limit", "warning", message, numbers, limit_names, shown)])
    return _heap_that_fails(context)


def _heap_that_fails(context: Context) -> Diagnosis:
    rows = context.unequally_paid
    rows = rows[rows["in_loss"] != 0.0]
    if rows.empty or "closed_marks" not in rows:
        return Diagnosis()
    for name, at_end in reversed(heaps_at_end(rows, context.thresholds.alpha).items()):  # a trainer's own first
        cut = rows[at_end]
        if not _fails(rows, at_end):
            continue
        pay = pay_of(rows, at_end)
        if pay is None or pay.z > -z_limit(context.thresholds.alpha):
            continue
        longest = float(length_of(rows, name).max())
        message = (
            f"{len(cut)} of {len(rows)} attempts have exactly the largest {name}, {longest:g}, far more than any other "
            f"long one, lack their answer and earn {pay.difference:+.1f} standard deviations against others at their "
            "problem: they were cut and are paid as wrong, raise the budget or mask them"
        )
        numbers = {"share": len(cut) / len(rows), "longest": longest, "pay": pay.difference, "z": pay.z}
        return Diagnosis(findings=[context.finding("length_limit", "warning", message, numbers, ("alpha",), cut)])
    return Diagnosis()


def _fails(rows: Frame, at_end: Frame) -> bool:
    cut = rows[at_end]
    if len(cut) < _MIN_ROWS or cut["problem_id"].nunique() < _MIN_PROBLEMS:
        return False
    return bool((cut["reward"] <= rows["reward"].min()).mean() >= _MOSTLY) and lack_usual_mark(rows, at_end)
