"""One reward that right and wrong attempts get alike, where every other reward follows what is right.

A grader that cannot read, run or reach what it needs gives a default. Among two or three other values a share of it
says nothing (partial credit is common); that it does not know right from wrong does. Half a mark for a form goes to
wrong attempts, half a mark for a late answer to right ones.
"""

import scipy

from evotrainer.diagnosis.context import Context, Diagnosis
from evotrainer.diagnosis.hookspecs import hookimpl
from evotrainer.evidence.frames import Frame
from evotrainer.records import Finding

NEEDS = {"judge_default": ("reward", "correct")}

_MAX_VALUES, _MIN_ROWS, _SHARE, _MIN_PROBLEMS = 6, 24, 0.04, 8
_FOLLOWS = 0.98
"""Share of the other attempts whose reward is above the value where they are right, and below it where they are not."""
_AS_RIGHT, _ALIKE = 0.1, 0.05
"""Most distance between the shares of right ones with the value and without it, and least chance of it."""


@hookimpl
def diagnose(context: Context) -> Diagnosis:
    """Return a finding for the first such value."""
    rows = context.unequally_paid
    rows = rows[rows["correct"].isin([0.0, 1.0])].assign(reward=rows["reward"].round(9))
    values = sorted(rows["reward"].unique())
    if not 3 <= len(values) <= _MAX_VALUES:
        return Diagnosis()
    found = [finding for value in values[1:-1] for finding in _judge(context, rows, float(value))]
    return Diagnosis(findings=found[:1])


def _judge(context: Context, rows: Frame, value: float) -> list[Finding]:
    has = rows["reward"] == value
    given, others = rows[has], rows[~has]
    if len(given) < max(_MIN_ROWS, _SHARE * len(rows)) or given["problem_id"].nunique() < _MIN_PROBLEMS:
        return []
    if ((others["reward"] > value) == (others["correct"] == 1.0)).mean() < _FOLLOWS:
        return []
    right, usual = float(given["correct"].mean()), float(others["correct"].mean())
    table = [[int((part["correct"] == outcome).sum()) for outcome in (1.0, 0.0)] for part in (given, others)]
    chance = float(scipy.stats.fisher_exact(table).pvalue)
    if min(table[0]) < _MIN_ROWS // 3 or abs(right - usual) > _AS_RIGHT or chance < _ALIKE:
        return []
    message = (
        f"{len(given)} attempts have the reward {value:g}; {right:.0%} of them are right as {usual:.0%} of others are. "
        "Every other reward follows what is right: see whether the grader falls back to a default, and mask these"
    )
    numbers = {"attempts": len(given), "right": right, "right_elsewhere": usual, "value": value}
    return [context.finding("judge_default", "warning", message, numbers, (), given)]
