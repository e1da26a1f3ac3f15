"""Keys of one source that are wrong: attempts agree there on an answer, and none of it is paid.

Attempts that do not know err in different ways, so that those of an unsolved problem rarely agree. Where they agree at
many problems of one shard or source, and at few of others, either its keys are wrong or the policy errs there in one
and the same way: both want a look.
"""

import pandas as pd

from evotrainer.diagnosis.context import Context, Diagnosis
from evotrainer.diagnosis.hookspecs import hookimpl
from evotrainer.diagnosis.texts import EXTRA_PREFIX, outside_columns
from evotrainer.diagnosis.uneven import most_marked
from evotrainer.evidence.frames import Frame

NEEDS = {"metric_defect": ("num_chars", "reward", "group", "extra")}

_MIN_SIZE, _MODAL = 3, 0.6
"""Attempts at a problem, and the share of them that end with one answer where they agree."""
_MAX_VALUES, _MIN_PROBLEMS = 12, 5
_MANY, _FEW = 0.25, 0.1
"""Shares of problems whose attempts agree unpaid: in the source that is named at least, in the others at most."""


@hookimpl
def diagnose(context: Context) -> Diagnosis:
    """Warn of the first source whose attempts agree on what is not paid."""
    rows = context.unequally_paid
    if rows.empty:
        return Diagnosis()
    rows = rows[~rows["is_truncated"].astype(bool) & (rows["final_answer"] != "")]
    problems = _problems(rows)
    for name in outside_columns(rows):
        values = rows.groupby("problem_id")[name].agg(["first", "nunique"]).loc[problems.index]
        source = values["first"]
        if (values["nunique"] > 1).any() or not 2 <= source.nunique() <= _MAX_VALUES:
            continue
        found = most_marked(problems["agreed_unpaid"], source, _MIN_PROBLEMS)
        if found is None or found.there < _MANY or found.others > _FEW or found.p_value >= context.thresholds.alpha:
            continue
        message = (
            f"at {found.there:.0%} of the problems with {name.removeprefix(EXTRA_PREFIX)} {str(found.value)[:40]} "
            f"attempts agree on an answer and none is paid, at {found.others:.0%} of others: see the keys there"
        )
        numbers = {"there": found.there, "others": found.others, "p_value": found.p_value}
        named = problems.index[problems["agreed_unpaid"] & (source == found.value)]
        shown = rows[rows["problem_id"].isin(named)]
        return Diagnosis(findings=[context.finding("metric_defect", "warning", message, numbers, ("alpha",), shown)])
    return Diagnosis()


def _problems(rows: Frame) -> Frame:
    """Return by problem of several attempts whether they agree on one answer and none is paid."""
    by_problem = rows.groupby("problem_id")
    size, best = by_problem.size(), by_problem["reward"].max()
    modal = rows.groupby(["problem_id", "final_answer"]).size().groupby(level=0).max()
    table: Frame = pd.DataFrame({"agreed_unpaid": (modal >= _MODAL * size) & (best <= rows["reward"].min())})
    return table[size >= _MIN_SIZE]
