"""Attempts that end with another number than the gold one, far from it, and are paid in full.

Both are plain numbers, and the attempt's stands in a mark or a column, so that nothing is misread. It counts as far
where it differs by a quarter of the larger one, beyond any tolerance of an exact task. An estimate may be as far; its
pay then follows the distance. Where tasks have several right answers, many paid attempts end with others than the gold
one: such tasks are not judged, nor problems that pay another number more often than the gold one.
"""

from evotrainer.diagnosis.context import Context, Diagnosis, significantly_above
from evotrainer.diagnosis.hookspecs import hookimpl
from evotrainer.evidence.frames import Frame

NEEDS = {"weak_verifier": ("gold", "reward")}

_FAR = 0.25
_SHARE, _COMMON = 0.02, 0.1
"""Shares of paid attempts that are far from the gold number, from which it is told, and is critical."""
_USUAL = 0.6
"""Share of paid attempts that end with the gold number, where it is the only right one."""
_FOLLOWS = 0.8
"""How often an unpaid number is farther than a paid one, where pay follows the distance."""
_MIN_PROBLEMS = 5


@hookimpl
def diagnose(context: Context) -> Diagnosis:
    """Warn where numbers far from the gold ones are paid in full; critical where that is common."""
    rows = context.with_texts(context.graded)
    if rows.empty:
        return Diagnosis()
    rows = rows[rows["gold_error"].notna() & rows["reward"].notna() & (rows["num_tool_calls"] == 0)]
    if rows.empty or rows["reward"].max() <= 0:  # nobody is paid
        return Diagnosis()
    is_paid = _is_paid(rows)
    paid = rows[is_paid]
    paid = paid[_is_gold_usual(paid)]
    if len(paid) < context.thresholds.min_rows or (paid["gold_error"] == 0).mean() < _USUAL:
        return Diagnosis()
    far = paid[paid["gold_error"] > _FAR]
    alpha = context.thresholds.alpha
    if far["problem_id"].nunique() < _MIN_PROBLEMS or not significantly_above(len(far), len(paid), _SHARE, alpha):
        return Diagnosis()
    wrong = paid[paid["gold_error"] > 0]
    if _follows(wrong["gold_error"], rows.loc[~is_paid & (rows["gold_error"] > 0), "gold_error"]):
        return Diagnosis()
    message = (
        f"{len(far)} of {len(paid)} attempts that are paid in full end with a number a quarter and more off the "
        "gold one, where most paid ones end with the gold number itself: see whose answer was graded, and how, unless "
        "several are right"
    )
    severity = "critical" if significantly_above(len(far), len(paid), _COMMON, alpha) else "warning"
    numbers = {"far": len(far), "paid": len(paid)}
    return Diagnosis(findings=[context.finding("weak_verifier", severity, message, numbers, ("alpha",), far)])


def _is_paid(rows: Frame) -> Frame:
    """Tell which attempts count as right: those that are correct, or have the greatest reward where nobody says."""
    return (rows["correct"] >= 1.0).where(rows["correct"].notna(), rows["reward"] >= rows["reward"].max())


def _is_gold_usual(paid: Frame) -> Frame:
    """Tell at which problems no other number is paid as often as the gold one; a single attempt tells nothing."""
    counts = paid.groupby(["problem_id", "final_answer"])["gold_error"].agg(["size", "max"])
    size, is_gold = counts["size"], counts["max"] == 0
    usual, gold = size.groupby(level=0).max(), size.where(is_gold, 0).groupby(level=0).max()
    is_usual = (gold >= usual) | (size.groupby(level=0).sum() == 1)
    return paid["problem_id"].map(is_usual).astype(bool)


def _follows(paid: Frame, unpaid: Frame) -> bool:
    """Tell whether wrong numbers that are not paid are farther than those that are."""
    if unpaid.empty:
        return False
    ranks = unpaid.to_numpy()[:, None] - paid.to_numpy()[None, :]
    return bool((ranks > 0).mean() + (ranks == 0).mean() / 2 >= _FOLLOWS)
