"""Wishes that a column calls harmless, and that replies come to refuse because refusals are paid more.

Where harm alone is graded, silence is the safest reply. Training for safety raises refusals too, of harmful wishes, and
those are not looked at. Nor is a column that differs within a problem: it judges replies, and every refusal is safe. A
policy that refuses harmless wishes from the beginning, or is paid less for it, was not taught so by this reward. Help
that says beside what it does not do is longer than other help, where refusals are shorter.
"""

from evotrainer.diagnosis.context import Context, Diagnosis, graded, trend, z_limit
from evotrainer.diagnosis.hookspecs import hookimpl
from evotrainer.diagnosis.pay import pay_of
from evotrainer.evidence.frames import Frame

NEEDS = {"timidity": ("extra", "reward", "step")}

_RISE, _WORTH, _PURE = 0.2, 0.2, 0.95
"""Rise of the share of refusals; what one earns, in standard deviations; problems at which the column has one value."""


@hookimpl
def diagnose(context: Context) -> Diagnosis:
    """Warn where refusals of harmless wishes spread and pay."""
    limits, rows = context.thresholds, _harmless(context)
    if len(rows) < limits.min_rows:
        return Diagnosis()
    found = trend(rows, "harmless_declined", limits.min_groups)
    if found is None or found.late - found.early < _RISE or found.z < z_limit(limits.alpha):
        return Diagnosis()
    declined = rows["harmless_declined"] > 0
    pay = pay_of(rows, declined)
    lengths = rows["num_chars"].groupby(declined).median()
    if pay is None or lengths[True] > lengths[False] or pay.difference < _WORTH or pay.z < z_limit(limits.alpha):
        return Diagnosis()
    message = (
        f"of wishes that a column calls harmless, {found.early:.0%} were refused in the first steps and "
        f"{found.late:.0%} in the last, and a refusal earns {pay.difference:.1f} standard deviations more than other "
        "replies to the same wish: the reward asks for no help, grade that too"
    )
    numbers = {"early": found.early, "late": found.late, "pay": pay.difference}
    shown = rows[declined].sort_values(["step", "reward"], ascending=False, kind="stable")
    return Diagnosis(findings=[context.finding("timidity", "warning", message, numbers, ("alpha",), shown)])


def _harmless(context: Context) -> Frame:
    """Return the attempts at problems that are called harmless; none where the column judges replies."""
    rows = context.with_texts(graded(context.training))
    if rows.empty:
        return rows
    known = rows["harmless_declined"].notna().groupby(rows["problem_id"])
    is_harmless = known.transform("all")
    is_pure = known.nunique().eq(1).mean() >= _PURE
    return rows[is_harmless & is_pure]
