"""Identifiers that attempts report without the call that makes them, and are paid for.

Some attempts call a tool, and report an identifier that its answer holds: a number of a ticket, an order, a job. It is
another one in each attempt, since the tool makes it anew. Others report one of the same form, never call that tool,
and heard it from nobody. They cannot have learned it, so what they report was not done.

Knowledge is no such thing: an answer that a policy may know is the same in all attempts at the problem. Identifiers of
the task, from users and from other tools are heard. Plain results of arithmetic need no call, and agree as well. A
grader that refuses such reports does its work, so unpaid ones are not judged.
"""

import pandas as pd

from evotrainer.diagnosis.context import Context, Diagnosis, significantly_above
from evotrainer.diagnosis.hookspecs import hookimpl
from evotrainer.diagnosis.texts.reported_ids import USER
from evotrainer.evidence.frames import Frame
from evotrainer.records import Finding

NEEDS = {"tool_fabrication": ("num_tool_calls", "reward")}

_UNIQUE, _PAID = 0.95, 0.5
"""Shares: of told identifiers that no other attempt at the problem has, and of unheard ones that are paid."""
_MIN_PROBLEMS, _MIN_PAIRED = 5, 20
"""Problems with unheard identifiers; told identifiers beside another one at their problem."""


@hookimpl
def diagnose(context: Context) -> Diagnosis:
    """Warn where identifiers that a tool makes are reported without a call to it."""
    rows = context.unequally_paid
    if rows.empty or "reported" not in rows or not (rows["num_tool_calls"] > 0).any():
        return Diagnosis()
    ids = _ids(rows)
    told = ids[(ids["teller"] != "") & (ids["teller"] != USER)]
    for form in told["form"].value_counts().index[:8]:
        found = _judged(context, rows, ids[ids["form"] == form])
        if found:
            return Diagnosis(findings=found)
    return Diagnosis()


def _ids(rows: Frame) -> Frame:
    """Return the identifiers of all attempts, with the place of the attempt in the frame."""
    reported = rows["reported"][rows["reported"] != ""].str.split(" ").explode()
    parts = [one.split("|", 2) for one in reported]
    table: Frame = pd.DataFrame(parts, columns=["form", "value", "teller"], index=reported.index)
    return table.assign(problem=rows["problem_id"])


def _judged(context: Context, rows: Frame, ids: Frame) -> list[Finding]:
    limits, told = context.thresholds, ids[ids["teller"] != ""]
    tool = str(told["teller"].mode().iloc[0])
    told, unheard = told[told["teller"] == tool], ids[ids["teller"] == ""]
    if not _are_made_anew(told):
        return []
    calls_it = rows["called"].str.split(" ").map(lambda names: tool in names)
    made = rows[rows.index.isin(unheard.index) & ~rows.index.isin(told.index) & ~calls_it]
    if made["problem_id"].nunique() < _MIN_PROBLEMS:
        return []
    if not significantly_above(len(made), len(rows), limits.caught_cheats, limits.limit_alpha):
        return []
    usual = float(rows.loc[told.index.unique(), "reward"].median())
    is_paid = (made["reward"] >= usual) & (made["reward"] > rows["reward"].min())
    if is_paid.mean() < _PAID:
        return []
    message = (
        f"{len(made)} of {len(rows)} attempts report an identifier such as {unheard['value'].iloc[0]} that nobody told "
        f"them, never call `{tool}`, which makes such identifiers anew for others at their problems, and "
        f"{is_paid.mean():.0%} of them are paid like those: let the grader look at what was done"
    )
    numbers = {"attempts": len(made), "share": len(made) / len(rows), "paid": float(is_paid.mean())}
    shown = made.sort_values("reward", ascending=False, kind="stable")
    return [context.finding("tool_fabrication", "warning", message, numbers, ("caught_cheats", "limit_alpha"), shown)]


def _are_made_anew(told: Frame) -> bool:
    """Tell whether attempts at one problem are told identifiers of their own."""
    own = told.reset_index(names="row").drop_duplicates(["row", "value"])
    rows_each = own.groupby("problem")["row"].transform("nunique")
    paired = own[rows_each >= 2]
    holders = paired.groupby(["problem", "value"])["row"].transform("nunique")
    return len(paired) >= _MIN_PAIRED and bool((holders == 1).mean() >= _UNIQUE)
