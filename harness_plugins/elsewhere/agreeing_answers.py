"""Problems at which every attempt is paid, whatever number it ends with.

Two attempts that are right at one problem end with the same number. Where paid attempts agree so at the problems that
pay some and not others, problems that pay all of several different numbers are not graded: a gold answer that cannot be
read, a default of 1, an exception that counts as success. Numbers alone are compared, since words may say one thing in
two ways. Where all problems have several right answers nothing is judged; a few such among others look alike.
"""

import pandas as pd
import scipy

from evotrainer.diagnosis.context import Context, Diagnosis
from evotrainer.diagnosis.hookspecs import hookimpl
from evotrainer.diagnosis.texts.gold import number_of
from evotrainer.evidence.frames import Frame

NEEDS = {"weak_verifier": ("num_chars", "reward", "group")}

_AGREE = 0.95
_MIN_SIZE, _MIN_OTHERS, _MIN_PROBLEMS = 4, 2, 3
"""Attempts at a problem that is judged, those of them that end with another number than most, and such problems."""


@hookimpl
def diagnose(context: Context) -> Diagnosis:
    """Warn where problems pay all of several different numbers."""
    rows = context.unequally_paid
    if rows.empty:
        return Diagnosis()
    rows = rows.assign(_number=rows["final_answer"].map(number_of), _paid=_is_paid(rows))
    rows = rows[rows["_number"].notna() & ~rows["is_truncated"].astype(bool) & (rows["num_tool_calls"] == 0)]
    table = _table(rows)
    mixed, paid = table[table["paid"].between(1, table["size"] - 1)], table[table["paid"] == table["size"]]
    if len(mixed) < context.thresholds.min_groups or mixed["usual"].sum() < _AGREE * mixed["paid"].sum():
        return Diagnosis()
    odd = paid[(paid["size"] >= _MIN_SIZE) & (paid["paid"] - paid["usual"] >= _MIN_OTHERS)]
    counts = [[int((part["paid"] - part["usual"]).sum()), int(part["usual"].sum())] for part in (paid, mixed)]
    p_value = float(scipy.stats.fisher_exact(counts, alternative="greater").pvalue)
    if len(odd) < _MIN_PROBLEMS or p_value >= context.thresholds.alpha:
        return Diagnosis()
    agreeing = float(mixed["usual"].sum() / mixed["paid"].sum())
    message = (
        f"at {len(odd)} of {len(table)} problems every attempt is paid though they end with different numbers; "
        f"elsewhere paid attempts agree in {agreeing:.0%}: the grader pays anything there, see whether it can read "
        "their gold answers, unless several are right"
    )
    numbers = {"problems": len(odd), "share": len(odd) / len(table), "agreeing": agreeing, "p_value": p_value}
    shown = rows[rows["problem_id"].isin(odd.index)]
    return Diagnosis(findings=[context.finding("weak_verifier", "warning", message, numbers, ("alpha",), shown)])


def _is_paid(rows: Frame) -> Frame:
    """Tell which attempts count as right: those that are correct, or have the greatest reward where nobody says."""
    return (rows["correct"] >= 1.0).where(rows["correct"].notna(), rows["reward"] >= rows["reward"].max())


def _table(rows: Frame) -> Frame:
    """Return by problem the attempts, those paid, and the paid ones that end with the commonest number."""
    paid = rows[rows["_paid"].astype(bool)]
    usual = paid.groupby(["problem_id", "_number"]).size().groupby(level=0).max()
    size = rows.groupby("problem_id").size()
    counts: Frame = pd.DataFrame({"size": size, "paid": paid.groupby("problem_id").size(), "usual": usual})
    return counts.fillna(0.0)
