"""Attempts that never answer and are paid: their last word is a tool's, and the grader takes it for theirs.

Others mark their answer. An attempt that ends with what a tool said, and marks nothing, has given none: where the task
is to change files or a state, attempts mark nothing at all, and none of this is judged.
"""

from evotrainer.diagnosis.context import Context, Diagnosis
from evotrainer.diagnosis.hookspecs import hookimpl

NEEDS = {"weak_verifier": ("num_tool_calls", "reward")}

_MARKED, _PAID = 0.5, 0.3
"""Shares of attempts that mark an answer, and of those without one that are paid in full."""
_MIN_ROWS, _MIN_PROBLEMS = 8, 5


@hookimpl
def diagnose(context: Context) -> Diagnosis:
    """Return a finding where attempts without an answer are paid in full."""
    rows = context.unequally_paid
    if rows.empty or rows["is_marked"].mean() < _MARKED:
        return Diagnosis()
    silent = rows[rows["ends_told"].astype(bool) & ~rows["is_marked"].astype(bool)]
    paid = silent[silent["reward"] >= rows["reward"].max()]
    if len(paid) < max(_MIN_ROWS, _PAID * len(silent)) or paid["problem_id"].nunique() < _MIN_PROBLEMS:
        return Diagnosis()
    message = (
        f"{len(paid)} of {len(silent)} attempts that end with a tool's answer and give none of their own have the "
        "greatest reward, where others mark their answer: grade what the policy says, not what it was told"
    )
    numbers = {"paid": len(paid), "silent": len(silent)}
    return Diagnosis(findings=[context.finding("weak_verifier", "critical", message, numbers, (), paid)])
