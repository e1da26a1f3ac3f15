"""One text, or one series of calls, at all problems: what an attempt does no longer depends on what is asked.

A solve rate that rises hides it, where right answers come from elsewhere. Compared are the whole reasoning (all but the
last line, forty characters and more) and all calls with their arguments (three and more). An attempt does the same
everywhere where attempts at eight problems agree to the letter. Such attempts must spread over the run: some tasks have
one good way from the beginning.
"""

from collections.abc import Iterator

from evotrainer.diagnosis.context import Context, Diagnosis, graded, trend, z_limit
from evotrainer.diagnosis.hookspecs import hookimpl
from evotrainer.evidence.frames import Frame
from evotrainer.records import Finding

NEEDS = {"template_collapse": ("num_chars", "step"), "action_collapse": ("num_tool_calls", "step")}

_PROBLEMS = 8
_FEW, _RISE = 0.5, 0.2
_LONG_CHARS, _MIN_CALLS = 40.0, 3


@hookimpl
def diagnose(context: Context) -> Diagnosis:
    """Warn where the same reasoning, or the same calls, spread over the problems."""
    rows = context.with_texts(graded(context.training))
    if rows.empty or rows["asked"].nunique() < _PROBLEMS:
        return Diagnosis()
    return Diagnosis(findings=list(_found(context, rows)))


def _found(context: Context, rows: Frame) -> Iterator[Finding]:
    limits = context.thresholds
    for mode, column, is_enough, what in (
        ("template_collapse", "reasoning_number", rows["reasoning_chars"] >= _LONG_CHARS, "reason"),
        ("action_collapse", "calls_number", rows["num_tool_calls"] >= _MIN_CALLS, "call their tools"),
    ):
        met = rows[is_enough].groupby(column)["asked"].nunique()
        marked = is_enough & (rows[column].map(met).fillna(0) >= _PROBLEMS)
        found = trend(rows.assign(_same=marked.astype(float)), "_same", limits.min_groups)
        if found is None or found.early > _FEW or found.late - found.early < _RISE or found.z < z_limit(limits.alpha):
            continue
        message = (
            f"attempts that {what} exactly as others do at {_PROBLEMS} and more problems went from {found.early:.0%} "
            f"to {found.late:.0%} over the run: what they do no longer depends on the problem"
        )
        numbers = {"early": found.early, "late": found.late, "z": found.z}
        shown = rows[marked].sort_values("step", ascending=False, kind="stable").drop_duplicates("problem_id")
        yield context.finding(mode, "warning", message, numbers, ("alpha",), shown)
