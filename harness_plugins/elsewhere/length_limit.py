"""Attempts that stand at exactly the longest length: cut by a limit that the rows do not tell.

Rows that tell of attempts that were cut are judged by that. Elsewhere a limit shows in three ways.

1. Lengths of answers vary. A fifth of them at one largest value, while others take twenty and more, were cut there.
2. A limit may meet few attempts, those at the problems that need the longest answers. They are a heap all the same: far
   more have the largest length than any other one of long attempts. It costs reward where these attempts lack the mark
   of an answer that others close, have the least reward, and earn less than others at their problem.
3. Rows may say that all attempts stopped by themselves: some trainers write an end where the limit was reached. Texts
   tell: those of the largest length break off within a sentence, and others do not. A policy that fills its budget, or
   tasks of one length, end their sentences; answers that end with a number do so at any length.
"""

import scipy

from evotrainer.diagnosis.context import Context, Diagnosis, z_limit
from evotrainer.diagnosis.hookspecs import hookimpl
from evotrainer.diagnosis.pay import pay_of
from evotrainer.diagnosis.texts.lengths import crowds_at_end, heaps_at_end, length_of
from evotrainer.diagnosis.texts.open_marks import lack_usual_mark
from evotrainer.evidence.frames import Frame

NEEDS = {"length_limit": ("num_chars",)}

_MIN_ROWS, _MIN_PROBLEMS, _MOSTLY = 8, 4, 0.9
"""Attempts of a heap, their problems, and the share of them that have the least reward."""
_BREAK_OFF, _OTHERS = 0.6, 0.2
"""Shares of attempts that break off: of the largest length at least, of others at most."""


@hookimpl
def diagnose(context: Context) -> Diagnosis:
    """Warn where more attempts than the limit stand at the largest length, or a heap of them fails by it."""
    limits, rows = context.thresholds, context.with_texts(context.graded)
    if len(rows) < limits.min_rows or rows["is_truncated"].any():
        return Diagnosis()
    if (rows["stop_reason"] != "unknown").any():
        return _said_to_stop(context, rows)
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


def _said_to_stop(context: Context, rows: Frame) -> Diagnosis:
    """Find texts that break off at the largest length, though no attempt is said to have been cut."""
    limits = context.thresholds
    rows = rows[rows["num_tool_calls"] == 0]
    if len(rows) < limits.min_rows or rows["breaks_off"].sum() < _BREAK_OFF * _MIN_ROWS:
        return Diagnosis()
    for name, at_end in (heaps_at_end(rows, limits.alpha) | crowds_at_end(rows, limits)).items():
        cut, shares = rows[at_end], [float(rows.loc[part, "breaks_off"].mean()) for part in (at_end, ~at_end)]
        if len(cut) < _MIN_ROWS or cut["problem_id"].nunique() < _MIN_PROBLEMS:
            continue
        if shares[0] < _BREAK_OFF or shares[1] > _OTHERS or not _is_apart(rows["breaks_off"], at_end, limits.alpha):
            continue
        longest = float(length_of(rows, name).max())
        message = (
            f"{len(cut)} of {len(rows)} attempts have exactly the largest {name}, {longest:g}, and {shares[0]:.0%} of "
            f"them break off within a sentence, {shares[1]:.0%} of others, though all are said to have stopped by "
            "themselves: they were cut, raise the budget and see who writes the end"
        )
        numbers = {"share": len(cut) / len(rows), "longest": longest, "break_off": shares[0], "others": shares[1]}
        return Diagnosis(findings=[context.finding("length_limit", "warning", message, numbers, ("alpha",), cut)])
    return Diagnosis()


def _is_apart(is_marked: Frame, is_chosen: Frame, alpha: float) -> bool:
    """Tell whether marks are more common among chosen attempts than chance makes them."""
    table = [[int(is_marked[part].sum()), int((~is_marked[part]).sum())] for part in (is_chosen, ~is_chosen)]
    return bool(scipy.stats.fisher_exact(table, alternative="greater").pvalue < alpha)


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
