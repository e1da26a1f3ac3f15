"""Attempts that stand at exactly the longest length: cut by a limit that the rows do not tell.

Lengths of answers vary. A fifth of them at one largest value, while others take twenty and more, were cut there. Rows
that tell why attempts stopped are judged by that.
"""

from evotrainer.diagnosis.context import Context, Diagnosis
from evotrainer.diagnosis.hookspecs import hookimpl
from evotrainer.diagnosis.texts import measured
from evotrainer.diagnosis.texts.lengths import crowds_at_end

NEEDS = {"length_limit": ("num_chars",)}


@hookimpl
def diagnose(context: Context) -> Diagnosis:
    """Warn where more attempts than the limit stand at the largest length."""
    limits, rows = context.thresholds, context.with_texts(context.graded)
    if len(rows) < limits.min_rows or (rows["stop_reason"] != "unknown").any() or rows["is_truncated"].any():
        return Diagnosis()
    for name, at_end in crowds_at_end(rows, limits).items():
        longest = float((rows[name] if name in rows else measured(rows, "sampled_tokens")[name]).max())
        count = int(at_end.sum())
        message = (
            f"{count} of {len(rows)} attempts have exactly the largest {name}, {longest:g} (limit "
            f"{limits.truncation:.0%}): they were cut, raise the budget or see why they do not end"
        )
        numbers = {"share": count / len(rows), "longest": longest}
        shown = rows[at_end].sort_values("step", ascending=False, kind="stable")
        limit_names = ("truncation", "limit_alpha")
        return Diagnosis(findings=[context.finding("length_limit", "warning", message, numbers, limit_names, shown)])
    return Diagnosis()
