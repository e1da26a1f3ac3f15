"""Echo traps within one turn: dozens of calls side by side that repeat each other, until the budget is gone.

A turn that is not closed goes on with calls that nobody answers. Circles over turns (echo_trap) do not count them, as
there only answered calls repeat each other. Several different calls side by side are a way of working, and so are equal
ones that are answered, as throws of dice.
"""

from evotrainer.diagnosis.context import Context, Diagnosis, graded, significantly_above
from evotrainer.diagnosis.hookspecs import hookimpl
from evotrainer.diagnosis.trend_within_run import warn_if_spreading

NEEDS = {"echo_trap": ("num_tool_calls",)}

_MODE = "echo_trap"


@hookimpl
def diagnose(context: Context) -> Diagnosis:
    """Warn where many attempts end with such a turn, or more and more do."""
    limits, rows = context.thresholds, context.with_texts(context.graded)
    if rows.empty or not rows["num_tool_calls"].any():
        return Diagnosis()
    found, total = rows[rows["num_poured"] > 0], len(rows)
    if total >= limits.min_rows and significantly_above(len(found), total, limits.echo_warning, limits.limit_alpha):
        calls = float(found["num_poured"].median())
        message = (
            f"{len(found)} of {total} attempts (limit {limits.echo_warning:.0%}) end with a turn of many calls, "
            f"{calls:.0f} in the middle, that repeat each other and that nothing answers: see what closes a turn, and "
            "whether the loss teaches it"
        )
        numbers = {"attempts": len(found), "share": len(found) / total, "calls": calls}
        names = ("echo_warning", "min_rows", "limit_alpha")
        examples = found.sort_values("num_poured", ascending=False, kind="stable")
        return Diagnosis(findings=[context.finding(_MODE, "warning", message, numbers, names, examples)])
    training = context.with_texts(graded(context.training))
    what = "that end with a turn of repeated calls"
    return Diagnosis(findings=warn_if_spreading(context, _MODE, training, training["num_poured"] > 0, what))
