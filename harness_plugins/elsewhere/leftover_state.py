"""State of one attempt that others find: code reads a name that its attempt never set, and gets a value.

An environment that gives a name gives it to all. So at the same problem other attempts must have read the same name and
been told that it is not defined: who gets a value depends on what ran before in that interpreter.
"""

from evotrainer.diagnosis.context import Context, Diagnosis, graded, z_limit
from evotrainer.diagnosis.hookspecs import hookimpl
from evotrainer.diagnosis.pay import pay_of
from evotrainer.evidence.frames import Frame

NEEDS = {"history_leak": ("num_tool_calls", "group")}

_MIN_PROBLEMS, _MIN_ATTEMPTS = 3, 6


@hookimpl
def diagnose(context: Context) -> Diagnosis:
    """Return a finding where names have a value for some and none for others: critical where that pays."""
    rows = context.with_texts(graded(context.rows))
    if rows.empty:
        return Diagnosis()
    had, lacked = (_by_name(rows, column) for column in ("had_names", "lacked_names"))
    pair = ["problem_id", "name"]
    torn = had[pair].drop_duplicates().merge(lacked[pair].drop_duplicates(), on=pair)
    names = sorted(torn["name"].unique())
    marked = rows["trajectory_id"].isin(had.loc[had["name"].isin(names), "trajectory_id"])
    if torn["problem_id"].nunique() < _MIN_PROBLEMS or marked.sum() < _MIN_ATTEMPTS:
        return Diagnosis()
    pay = pay_of(rows, marked)
    is_paid = pay is not None and pay.z > z_limit(context.thresholds.alpha)
    message = (
        f"code of {int(marked.sum())} attempts reads names that they never set ({', '.join(names[:4])}) and gets a "
        f"value, where others at the same {torn['problem_id'].nunique()} problems are told that these are not defined: "
        "attempts find what others left, start an interpreter for each"
    )
    numbers = {"attempts": int(marked.sum()), "problems": int(torn["problem_id"].nunique())}
    numbers |= {"pay": pay.difference, "z": pay.z} if pay is not None else {}
    severity = "critical" if is_paid else "warning"
    return Diagnosis(findings=[context.finding("history_leak", severity, message, numbers, ("alpha",), rows[marked])])


def _by_name(rows: Frame, column: str) -> Frame:
    """Return one row an attempt and name."""
    known = rows.loc[rows[column] != "", ["trajectory_id", "problem_id", column]]
    return known.assign(name=known[column].str.split(" ")).explode("name")[["trajectory_id", "problem_id", "name"]]
