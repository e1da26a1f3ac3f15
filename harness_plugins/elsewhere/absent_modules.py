"""Environments that lack what the task is about: files, modules or tables that no attempt at a problem finds.

A policy guesses a wrong path now and then, and goes on. At a problem whose environment is incomplete half of what all
attempts are told is that things are not there, and none is paid. Elsewhere in the same evidence hardly any hears it.
"""

import scipy

from evotrainer.diagnosis.context import Context, Diagnosis
from evotrainer.diagnosis.hookspecs import hookimpl

NEEDS = {"infrastructure_zeros": ("num_tool_calls", "reward")}

_MOSTLY, _HALF, _SELDOM = 0.9, 0.5, 0.1
_MIN_PROBLEMS, _MIN_ATTEMPTS = 4, 12


@hookimpl
def diagnose(context: Context) -> Diagnosis:
    """Return a finding where all attempts at several problems are told that things are not there, and none is paid."""
    rows = context.unequally_paid
    if rows.empty:
        return Diagnosis()
    lost, unpaid = rows["absent_share"] >= _HALF, rows["reward"] <= rows["reward"].min()
    by_problem = rows["problem_id"]
    is_told, is_dead = lost.groupby(by_problem).mean() >= _MOSTLY, unpaid.groupby(by_problem).mean() >= _MOSTLY
    struck = is_told[is_told & is_dead].index
    hit, others = rows[by_problem.isin(struck)], rows[~by_problem.isin(struck)]
    if len(struck) < _MIN_PROBLEMS or len(hit) < _MIN_ATTEMPTS or others.empty or lost[others.index].mean() > _SELDOM:
        return Diagnosis()
    table = [[int(((is_told == told) & (is_dead == dead)).sum()) for dead in (True, False)] for told in (True, False)]
    if scipy.stats.fisher_exact(table, alternative="greater").pvalue >= context.thresholds.alpha:
        return Diagnosis()
    message = (
        f"at {len(struck)} of {len(is_told)} problems half of what tools answer is that files or modules are absent, "
        f"to all {len(hit)} attempts, and none of them is paid; elsewhere {lost[others.index].mean():.0%} hear it: "
        "their environment lacks what the task is about, build it anew or leave these problems out"
    )
    numbers = {"problems": len(struck), "attempts": len(hit)}
    return Diagnosis(findings=[context.finding("infrastructure_zeros", "warning", message, numbers, ("alpha",), hit)])
