"""Keys of one source that are wrong: attempts agree there on an answer, and none of it is paid.

Attempts that do not know err in different ways, so that those of an unsolved problem rarely agree. Where they agree at
many problems of one shard or source, and at few of others, either its keys are wrong or the policy errs there in one
and the same way: both want a look.
"""

import pandas as pd
import scipy

from evotrainer.diagnosis.context import Context, Diagnosis
from evotrainer.diagnosis.hookspecs import hookimpl
from evotrainer.diagnosis.texts import EXTRA_PREFIX, outside_columns
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
        counts = problems["agreed_unpaid"].groupby(source).agg(["sum", "size"])
        counts = counts[counts["size"] >= _MIN_PROBLEMS]
        if len(counts) < 2:
            continue
        worst = (counts["sum"] / counts["size"]).idxmax()
        there, others = counts.loc[worst], counts.drop(worst).sum()
        shares = [float(part["sum"] / part["size"]) for part in (there, others)]
        table = [[int(part["sum"]), int(part["size"] - part["sum"])] for part in (there, others)]
        p_value = float(scipy.stats.fisher_exact(table, alternative="greater").pvalue) * len(counts)
        if shares[0] < _MANY or shares[1] > _FEW or p_value >= context.thresholds.alpha:
            continue
        message = (
            f"at {shares[0]:.0%} of the problems with {name.removeprefix(EXTRA_PREFIX)} {str(worst)[:40]} attempts "
            f"agree on an answer and none is paid, at {shares[1]:.0%} of others: see the keys there"
        )
        numbers = {"there": shares[0], "others": shares[1], "p_value": p_value}
        found = problems.index[problems["agreed_unpaid"] & (source == worst)]
        shown = rows[rows["problem_id"].isin(found)]
        return Diagnosis(findings=[context.finding("metric_defect", "warning", message, numbers, ("alpha",), shown)])
    return Diagnosis()


def _problems(rows: Frame) -> Frame:
    """Return by problem of several attempts whether they agree on one answer and none is paid."""
    by_problem = rows.groupby("problem_id")
    size, best = by_problem.size(), by_problem["reward"].max()
    modal = rows.groupby(["problem_id", "final_answer"]).size().groupby(level=0).max()
    table: Frame = pd.DataFrame({"agreed_unpaid": (modal >= _MODAL * size) & (best <= rows["reward"].min())})
    return table[size >= _MIN_SIZE]
