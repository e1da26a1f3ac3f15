"""A grader that takes the gold number from anywhere in the text: other answers are paid where it stands beside them.

Attempts mark their answer, so that nothing is misread, and the marked one is not the gold one. Those whose text holds
the gold number somewhere are mostly paid, those without it hardly ever.
"""

import scipy

from evotrainer.diagnosis.context import Context, Diagnosis
from evotrainer.diagnosis.hookspecs import hookimpl

NEEDS = {"weak_verifier": ("gold", "reward")}

_MIN_PAID, _MIN_PROBLEMS, _MIN_OTHERS = 8, 5, 20
_MOSTLY, _HARDLY = 0.6, 0.1


@hookimpl
def diagnose(context: Context) -> Diagnosis:
    """Return a finding where wrong answers are paid for a number beside them."""
    rows = context.with_texts(context.graded)
    if rows.empty:
        return Diagnosis()
    rows = rows[(rows["is_gold"] == 0.0) & rows["is_marked"].astype(bool) & ~rows["is_truncated"].astype(bool)]
    is_paid = rows["reward"] >= context.graded["reward"].max()
    beside = rows["mentions_gold"].astype(bool)
    paid = rows[beside & is_paid]
    if len(paid) < _MIN_PAID or paid["problem_id"].nunique() < _MIN_PROBLEMS or (~beside).sum() < _MIN_OTHERS:
        return Diagnosis()
    shares = [float(is_paid[part].mean()) for part in (beside, ~beside)]
    table = [[int(is_paid[part].sum()), int((~is_paid[part]).sum())] for part in (beside, ~beside)]
    p_value = float(scipy.stats.fisher_exact(table, alternative="greater").pvalue)
    if shares[0] < _MOSTLY or shares[1] > _HARDLY or p_value >= context.thresholds.alpha:
        return Diagnosis()
    message = (
        f"of attempts that mark another answer than the gold one, {shares[0]:.0%} are paid where the gold number "
        f"stands elsewhere in the text, {shares[1]:.0%} where it does not: the grader reads more than the answer"
    )
    numbers = {"beside": shares[0], "without": shares[1], "p_value": p_value}
    return Diagnosis(findings=[context.finding("weak_verifier", "critical", message, numbers, ("alpha",), paid)])
