"""Attempts without a single call, in evidence that was made with tools, that come up over the run and are paid.

A policy that stops acting and says what it would have done is paid where the grader reads the claim and not the state,
or where the reward punishes turns. It is a warning where such attempts earn no less than others at their problem,
and recorded correctness does not rise: some questions need no tool, and a policy may learn which.
"""

from evotrainer.diagnosis.context import Context, Diagnosis, graded, trend, z_limit
from evotrainer.diagnosis.hookspecs import hookimpl
from evotrainer.diagnosis.pay import pay_of

NEEDS = {"timidity": ("num_tool_calls", "step", "reward")}

_ACTS, _RISE, _AS_WELL = 0.35, 0.2, -0.1


@hookimpl
def diagnose(context: Context) -> Diagnosis:
    """Warn where attempts cease to act and are paid for it."""
    limits, rows = context.thresholds, graded(context.training)
    if context.texts is None or rows.empty:
        return Diagnosis()
    is_idle = rows["num_tool_calls"] == 0
    found = trend(rows.assign(_idle=is_idle.astype(float)), "_idle", limits.min_groups)
    if found is None or found.early > _ACTS or found.late - found.early < _RISE or found.z < z_limit(limits.alpha):
        return Diagnosis()
    pay, solved = pay_of(rows, is_idle), trend(rows, "correct", limits.min_groups)
    if pay is None or pay.difference < _AS_WELL or (solved is not None and solved.z > limits.outcome_rise):
        return Diagnosis()
    message = (
        f"attempts without any call went from {found.early:.0%} to {found.late:.0%} over the run and earn "
        f"{pay.difference:+.1f} standard deviations against others at their problem: see whether the grader looks at "
        "what was done"
    )
    numbers = {"early": found.early, "late": found.late, "pay": pay.difference}
    shown = rows[is_idle].sort_values(["step", "reward"], ascending=False, kind="stable")
    return Diagnosis(findings=[context.finding("timidity", "warning", message, numbers, ("alpha",), shown)])
