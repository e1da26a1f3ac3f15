"""Echo traps of attempts that act by text: the same message, answered the same way, again and again.

As in echo_trap, an attempt goes in circles where three actions and three in ten of all repeat one before. An action
with another answer is another one.
"""

from evotrainer.diagnosis.context import Context, Diagnosis, graded, significantly_above
from evotrainer.diagnosis.hookspecs import hookimpl
from evotrainer.diagnosis.trend_within_run import warn_if_spreading
from evotrainer.evidence.frames import Frame

NEEDS = {"echo_trap": ("num_chars",)}

_MODE = "echo_trap"
_MIN_ECHOES, _SHARE = 3, 0.3


@hookimpl
def diagnose(context: Context) -> Diagnosis:
    """Return a finding where many attempts repeat themselves, or more and more do."""
    rows = context.with_texts(context.graded)
    if rows.empty or rows["num_tool_calls"].any():
        return Diagnosis()
    limits, marked = context.thresholds, _is_circle(rows)
    count, total = int(marked.sum()), len(rows)
    if total >= limits.min_rows and significantly_above(count, total, limits.echo_warning, limits.limit_alpha):
        severity = (
            "critical" if significantly_above(count, total, limits.echo_critical, limits.limit_alpha) else "warning"
        )
        message = (
            f"{count} of {total} attempts go in circles (limit {limits.echo_warning:.0%}): they write what they wrote"
        )
        numbers = {"circles": count, "share": count / total}
        limit_names = ("echo_warning", "echo_critical", "min_rows", "limit_alpha")
        examples = rows[marked].sort_values("num_echoes", ascending=False, kind="stable")
        return Diagnosis(findings=[context.finding(_MODE, severity, message, numbers, limit_names, examples)])
    training = context.with_texts(graded(context.training))
    return Diagnosis(findings=warn_if_spreading(context, _MODE, training, _is_circle(training), "that go in circles"))


def _is_circle(rows: Frame) -> Frame:
    return (rows["num_echoes"] >= _MIN_ECHOES) & (rows["num_echoes"] >= _SHARE * rows["num_actions"])
