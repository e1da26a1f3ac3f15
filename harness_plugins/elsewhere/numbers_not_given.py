"""A grader that checks what an expression equals, and not of what it is made: other numbers than the given ones pay.

Tasks give a list of numbers and a target. Expressions that miss the target are hardly ever paid, so pay asks for it.
Those that reach it with a number that the prompt does not give are paid as those that use the given ones. Where all
attempts use other numbers the task may allow them, and nothing is said.
"""

from evotrainer.diagnosis.context import Context, Diagnosis, significantly_above
from evotrainer.diagnosis.hookspecs import hookimpl

NEEDS = {"weak_verifier": ("num_chars", "reward")}

_SHARE, _MIN_CASES, _MIN_PROBLEMS, _MIN_GIVEN, _MIN_OFF = 0.02, 8, 5, 8, 8
_MOSTLY, _HARDLY = 0.8, 0.1


@hookimpl
def diagnose(context: Context) -> Diagnosis:
    """Warn where expressions of other numbers are paid in full."""
    rows = context.unequally_paid
    rows = rows[~rows["is_truncated"].astype(bool) & (rows["expression_use"] != "")] if len(rows) else rows
    if rows.empty:
        return Diagnosis()
    is_paid = rows["reward"] >= context.graded["reward"].max()
    uses = {name: rows["expression_use"] == name for name in ("given", "other", "off")}
    cases = rows[uses["other"] & is_paid]
    if len(cases) < _MIN_CASES or cases["problem_id"].nunique() < _MIN_PROBLEMS:
        return Diagnosis()
    if uses["given"].sum() < _MIN_GIVEN or uses["off"].sum() < _MIN_OFF:
        return Diagnosis()
    given, other, off = (float(is_paid[part].mean()) for part in uses.values())
    is_some = significantly_above(len(cases), int(is_paid.sum()), _SHARE, context.thresholds.alpha)
    if not is_some or min(given, other) < _MOSTLY or off > _HARDLY:
        return Diagnosis()
    message = (
        f"{len(cases)} of {int(is_paid.sum())} paid expressions, as {cases['final_answer'].iloc[0]}, reach their "
        f"target with a number that the prompt does not give; {other:.0%} of such are paid, {given:.0%} of those with "
        f"given numbers alone, {off:.0%} of those that miss the target: check which numbers are used"
    )
    numbers = {"paid": len(cases), "other": other, "given": given, "off": off}
    return Diagnosis(findings=[context.finding("weak_verifier", "warning", message, numbers, ("alpha",), cases)])
