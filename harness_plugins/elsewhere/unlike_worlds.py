"""Worlds that are not set back: the same calls at the same problem are answered otherwise, and that costs reward.

At each problem the usual answer to a series of calls is the one that most attempts with these calls got
(texts/told_steps.py), or else the one that the first of a group got: nobody was before it. Most answers must be usual:
where worlds are drawn by chance nothing is. What others left differs from problem to problem, or from attempt to
attempt. Attempts with another answer, where others got the usual one, earn less.
"""

from evotrainer.diagnosis.context import Context, Diagnosis
from evotrainer.diagnosis.hookspecs import hookimpl
from evotrainer.diagnosis.lost_by_it import lost_by_it
from evotrainer.evidence.frames import Frame
from evotrainer.records import Finding

NEEDS = {"infrastructure_zeros": ("num_tool_calls", "group", "reward")}

_USUAL, _USUAL_BEHIND, _MIN_MADE = 0.5, 0.4, 3
"""Shares of answers that are the usual ones, and that are those of the first of a group; attempts at a problem with the
same calls."""


@hookimpl
def diagnose(context: Context) -> Diagnosis:
    """Return a finding where attempts that are told something unusual earn less."""
    rows = context.unequally_paid
    if rows.empty:
        return Diagnosis()
    rows = rows[(rows["told_steps"] != "") & ~(rows["machine_share"] > 0)]
    if rows.empty:
        return Diagnosis()
    return Diagnosis(
        findings=_told_otherwise(context, rows, _repeated(rows), _USUAL)
        or _told_otherwise(context, rows, _behind(rows), _USUAL_BEHIND)
    )


def _told_otherwise(context: Context, rows: Frame, steps: Frame, least: float) -> list[Finding]:
    """Return a finding where attempts that are told something unusual earn less."""
    others = steps[~steps["is_usual"]]
    if steps.empty or steps["is_usual"].mean() < least:
        return []
    marked = rows["trajectory_id"].isin(others["trajectory_id"])
    pay = lost_by_it(context, rows, marked, others["told"])
    if pay is None:
        return []
    num_problems = rows.loc[marked, "problem_id"].nunique()
    message = (
        f"{int(marked.sum())} attempts at {num_problems} problems are told something else than others after the same "
        f"calls, where {steps['is_usual'].mean():.0%} of such answers agree; these earn {-pay.difference:.1f} standard "
        "deviations less: attempts begin with what others left, set the environment back before each"
    )
    numbers = {"usual": float(steps["is_usual"].mean()), "attempts": int(marked.sum()), "pay": pay.difference}
    return [context.finding("infrastructure_zeros", "warning", message, numbers, ("alpha",), rows[marked])]


def _repeated(rows: Frame) -> Frame:
    """Return one row an attempt and step that several attempts at a problem made, and whether it was told as usual.

    Of an attempt that was told otherwise the steps behind that are left out.
    """
    steps = _steps(rows)
    by_step = ["problem_id", "made"]
    count = steps.groupby([*by_step, "told"])["told"].transform("size")
    most = count.groupby([steps[name] for name in by_step]).transform("max")
    size = steps.groupby(by_step)["told"].transform("size")
    steps["is_usual"] = (count == most) & (count >= 2)
    was_other = (~steps["is_usual"] & (most >= 2)).astype(int)
    before = was_other.groupby(steps["trajectory_id"]).cumsum() - was_other
    return steps[(size >= _MIN_MADE) & (most >= 2) & (before == 0)]


def _behind(rows: Frame) -> Frame:
    """Return one row an attempt behind the first of its group that made the step, and whether both were told alike."""
    steps = _steps(rows).sort_values("place", kind="stable")
    by_step = steps.groupby(["group", "made"], sort=False)
    steps["is_usual"] = steps["told"] == by_step["told"].transform("first")
    return steps[by_step.cumcount() > 0]


def _steps(rows: Frame) -> Frame:
    """Return one row an attempt and step."""
    known = rows[["trajectory_id", "problem_id", "group", "place", "told_steps"]]
    steps = known.assign(told=known["told_steps"].str.split(" ")).explode("told").drop(columns="told_steps")
    return steps.assign(made=steps["told"].str.partition(":")[0]).reset_index(drop=True)
