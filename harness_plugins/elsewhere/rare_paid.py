"""Rewards turned round: the number that most attempts end with is unpaid, and several others are paid.

A number that is right is one. Where a grader gives the distance for the score, or its comparison is the wrong way
round, the commonest answer to a problem is the one that goes unpaid, since who is right agrees, and whatever else is
written is paid. Keys that are wrong leave the commonest answer unpaid too, but then hardly any other is paid, and never
two of them. Where tools are called attempts may end with other numbers than they are graded for.
"""

import pandas as pd

from evotrainer.diagnosis.context import Context, Diagnosis
from evotrainer.diagnosis.hookspecs import hookimpl
from evotrainer.diagnosis.texts.gold import number_of
from evotrainer.evidence.frames import Frame

NEEDS = {"reward_outcome_divergence": ("num_chars", "reward", "group")}

_MIN_USUAL, _USUAL, _MIN_OTHERS = 2, 0.4, 2
"""Attempts that end with the commonest number, their share, and other numbers that are paid."""
_MIN_PROBLEMS, _MOSTLY, _PAID = 8, 0.7, 0.8
"""Problems that are turned round, as a share of those that could be, and the share of other attempts that are paid."""


@hookimpl
def diagnose(context: Context) -> Diagnosis:
    """Warn where rewards follow what hardly any attempt ends with."""
    rows = context.unequally_paid
    if rows.empty:
        return Diagnosis()
    rows = rows.assign(_number=rows["final_answer"].map(number_of), _paid=rows["reward"] > rows["reward"].mean())
    rows = rows[rows["_number"].notna() & ~rows["is_truncated"].astype(bool) & (rows["num_tool_calls"] == 0)]
    table = _table(rows)
    could = table[(table["usual"] >= _MIN_USUAL) & (table["usual"] >= _USUAL * table["size"]) & (table["others"] >= 2)]
    turned = could[(could["usual_paid"] == 0) & (could["paid"] >= _MIN_OTHERS) & (could["others_paid"] >= _PAID)]
    if len(turned) < _MIN_PROBLEMS or len(turned) < _MOSTLY * len(could):
        return Diagnosis()
    message = (
        f"at {len(turned)} of {len(could)} problems the number that most attempts end with is unpaid, and two others "
        "and more are paid: see whether the reward is turned round, a distance taken for a score"
    )
    numbers = {"problems": len(turned), "share": len(turned) / len(could)}
    shown = rows[rows["problem_id"].isin(turned.index)]
    found = context.finding("reward_outcome_divergence", "warning", message, numbers, (), shown)
    return Diagnosis(findings=[found])


def _table(rows: Frame) -> Frame:
    """Return by problem: attempts; those with the commonest number, and of them paid; other numbers; of them paid."""
    by_number = rows.groupby(["problem_id", "_number"])["_paid"].agg(["size", "sum"]).reset_index()
    by_number = by_number.sort_values(["size", "_number"], ascending=[False, True], kind="stable")
    usual = by_number.drop_duplicates("problem_id").set_index("problem_id")
    others = by_number[by_number["problem_id"].duplicated()].groupby("problem_id")
    table: Frame = pd.DataFrame(
        {
            "size": rows.groupby("problem_id").size(),
            "usual": usual["size"],
            "usual_paid": usual["sum"],
            "others": others.size(),
            "paid": others["sum"].agg(lambda paid: int((paid > 0).sum())),
            "others_paid": others["sum"].sum() / others["size"].sum(),
        }
    )
    return table.fillna(0.0)
