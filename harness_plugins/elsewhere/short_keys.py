"""Gold answers that lack a part of what was asked for: attempts agree on the gold answer and more, and go unpaid.

Who adds a part by mistake does so now and then, at any problem, and seldom the same one. Where some attempts hold more
than the key, and at a third of such problems most attempts do and agree, the key is likely to be short: a list that was
cut, one solution of two. A part that is the same at most problems is a habit of the policy.
"""

from evotrainer.diagnosis.context import Context, Diagnosis
from evotrainer.diagnosis.hookspecs import hookimpl

NEEDS = {"metric_defect": ("num_chars", "reward", "group", "extra")}

_MIN_SIZE, _MOST, _MIN_PROBLEMS, _SOME = 3, 0.5, 4, 0.05
"""Attempts at a problem, the share that agrees, and problems where it does: how many, and of all."""
_OFTEN, _HABIT = 0.3, 0.5
"""Shares: of problems with any such answer, those where most agree; of these, those with one and the same part more."""


@hookimpl
def diagnose(context: Context) -> Diagnosis:
    """Warn where most attempts at many problems give more than the key, and are not paid."""
    rows = context.unequally_paid
    if rows.empty or not (rows["beyond_gold"] != "").any():
        return Diagnosis()
    rows = rows[~rows["is_truncated"].astype(bool)]
    size = rows.groupby("problem_id").size()
    beyond = rows[rows["beyond_gold"] != ""].groupby(["problem_id", "beyond_gold"])["reward"].agg(["size", "max"])
    beyond = beyond.sort_values("size", kind="stable").groupby(level=0).tail(1).reset_index().set_index("problem_id")
    total = size.reindex(beyond.index)
    is_agreed = (total >= _MIN_SIZE) & (beyond["size"] >= _MOST * total) & (beyond["max"] < rows["reward"].max())
    found = beyond[is_agreed]
    if len(found) < max(_MIN_PROBLEMS, _SOME * len(size), _OFTEN * len(beyond)):
        return Diagnosis()
    more = found["beyond_gold"].str.split(" ").str[1]
    if more.value_counts(normalize=True).max() > _HABIT:
        return Diagnosis()
    shown = rows[(rows["beyond_gold"] != "") & rows["problem_id"].isin(found.index)]
    message = (
        f"at {len(found)} of {len(size)} problems {int(found['size'].sum())} of {int(total[is_agreed].sum())} attempts "
        "agree on an answer that holds the whole gold answer and a part more, and none of them is paid in full: see "
        "whether the keys there hold all that is asked for"
    )
    numbers = {"problems": len(found), "attempts": int(found["size"].sum())}
    return Diagnosis(findings=[context.finding("metric_defect", "warning", message, numbers, (), shown)])
