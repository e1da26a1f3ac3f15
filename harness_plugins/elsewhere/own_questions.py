"""Attempts that go on behind their end: the policy writes the next question itself, and answers that.

A sampler that does not stop where a turn ends samples the user's next turn too, and a grader that takes the last answer
grades the other question. Turns of users that an environment speaks are there from the first step on; these come up
within a run, and who has one earns less than others at the same problem.
"""

from evotrainer.diagnosis.context import Context, Diagnosis, graded, z_limit
from evotrainer.diagnosis.hookspecs import hookimpl
from evotrainer.diagnosis.pay import pay_of

NEEDS = {"metric_defect": ("num_chars", "reward", "step")}

_SOME, _FIRST = 0.05, 0.02
"""Shares of attempts: of all from which it counts, and of the first step up to which it was not there."""


@hookimpl
def diagnose(context: Context) -> Diagnosis:
    """Warn where attempts hold a user's turn, which the first step had not, and are paid less for it."""
    rows = context.with_texts(graded(context.training))
    if rows.empty or not rows["goes_on"].any():
        return Diagnosis()
    goes_on = rows["goes_on"].astype(bool)
    if goes_on.mean() < _SOME or goes_on[rows["step"] == rows["step"].min()].mean() > _FIRST:
        return Diagnosis()
    pay = pay_of(rows, goes_on)
    if pay is None or pay.z > -z_limit(context.thresholds.alpha):
        return Diagnosis()
    since = int(rows.loc[goes_on, "step"].min())
    message = (
        f"{goes_on.mean():.0%} of attempts, from step {since} on, go on with a user's turn that the policy wrote, and "
        f"earn {-pay.difference:.1f} standard deviations less: see where sampling stops, and what the grader reads"
    )
    numbers = {"share": float(goes_on.mean()), "since": since, "pay": pay.difference}
    return Diagnosis(
        findings=[context.finding("metric_defect", "warning", message, numbers, ("alpha",), rows[goes_on])]
    )
