"""Attempts that are paid in full though the grader says that it ran no test.

A run of tests that collects nothing ends without a failure, and a grader that counts failures takes it for a success.
What an agent's own run of tests says does not count: the hidden ones may have run.
"""

from evotrainer.diagnosis.context import Context, Diagnosis
from evotrainer.diagnosis.hookspecs import hookimpl

NEEDS = {"weak_verifier": ("extra", "reward")}

_MIN_ROWS, _MIN_PROBLEMS = 8, 3
_MOSTLY = 0.9


@hookimpl
def diagnose(context: Context) -> Diagnosis:
    """Return a finding where gradings without a test are paid."""
    rows = context.unequally_paid
    if rows.empty:
        return Diagnosis()
    untested = rows[rows["graded_untested"].astype(bool)]
    paid = untested[untested["reward"] >= rows["reward"].max()]
    if len(paid) < max(_MIN_ROWS, _MOSTLY * len(untested)) or paid["problem_id"].nunique() < _MIN_PROBLEMS:
        return Diagnosis()
    message = (
        f"{len(paid)} of {len(untested)} attempts at {paid['problem_id'].nunique()} problems have the greatest reward "
        "though their grader says that no test ran: see how it collects tests, and refuse a run without any"
    )
    numbers = {"paid": len(paid), "untested": len(untested), "share": len(untested) / len(rows)}
    return Diagnosis(findings=[context.finding("weak_verifier", "critical", message, numbers, (), paid)])
