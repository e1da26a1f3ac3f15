"""Behaviour by outcome: means of right, partly right and wrong attempts, as <metric>_<outcome>.

Outcomes are correct, wrong (all others) and, where the grader gives partial credit, partial (some of it). Every
behaviour column of the rows is shown, those of a domain's own grader too. No column is named here, so that columns that
no diagnostic judges still count as gaps. No findings.
"""

import pandas as pd

from evotrainer.diagnosis.context import Context, Diagnosis, known
from evotrainer.diagnosis.hookspecs import hookimpl
from evotrainer.evidence.frame_columns import CHECK_PREFIX, TERM_PREFIX, behaviour_columns
from evotrainer.evidence.frames import Frame

_PREFIXES = (CHECK_PREFIX, "num_", "is_", "mean_")


@hookimpl
def diagnose(context: Context) -> Diagnosis:
    """Return the mean of each behaviour column by outcome."""
    rows = context.graded
    wrong = rows[rows["correct"] < 1.0]
    parts = {"correct": rows[rows["correct"] >= 1.0], "wrong": wrong, "partial": wrong[_is_partial(wrong)]}
    means = {
        f"{_short(column)}_{outcome}": part[column].mean()
        for column in behaviour_columns(rows)
        for outcome, part in parts.items()
    }
    return Diagnosis(known(means))


def _short(column: str) -> str:
    for prefix in _PREFIXES:
        column = column.removeprefix(prefix)
    return column


def _is_partial(wrong: Frame) -> Frame:
    credit = wrong.get(f"{TERM_PREFIX}partial", pd.Series(0.0, index=wrong.index)).fillna(0.0)
    return (wrong["correct"] > 0) | ((credit > 0) & (credit < 1))
