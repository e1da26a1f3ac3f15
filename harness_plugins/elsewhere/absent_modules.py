"""Environments that lack what the task is about: files, modules or tables that no attempt at a problem finds.

A policy guesses a wrong path now and then, and goes on. At a problem whose environment is incomplete half of what all
attempts are told is that things are not there, and none is paid. Elsewhere in the same evidence hardly any hears it.

What grades may lack something too: a test imports a package that the image has not. A column beside then names one
that the policy never wrote, at all attempts at a problem, and none is paid. A policy that errs, or hands nothing in,
does so at some attempts of many problems. So nothing is said where other problems meet it in part.
"""

import scipy

from evotrainer.diagnosis.context import Context, Diagnosis
from evotrainer.diagnosis.hookspecs import hookimpl
from evotrainer.evidence.frames import Frame
from evotrainer.records import Finding

NEEDS = {"infrastructure_zeros": ("reward",)}

_MOSTLY, _HALF, _SELDOM, _HARDLY = 0.9, 0.5, 0.1, 0.02
_MIN_PROBLEMS, _MIN_ATTEMPTS = 4, 12


@hookimpl
def diagnose(context: Context) -> Diagnosis:
    """Return a finding where all attempts at several problems meet what is not there, and none is paid."""
    rows = context.unequally_paid
    if rows.empty:
        return Diagnosis()
    found = [_tools(context, rows), _grader(context, rows)]
    return Diagnosis(findings=[one for one in found if one is not None])


def _tools(context: Context, rows: Frame) -> Finding | None:
    lost = rows["absent_share"] >= _HALF
    hit = _struck(context, rows, lost, _SELDOM)
    if hit.empty:
        return None
    others = lost[~rows["problem_id"].isin(hit["problem_id"])]
    message = (
        f"at {hit['problem_id'].nunique()} of {rows['problem_id'].nunique()} problems half of what tools answer is "
        f"that files or modules are absent, to all {len(hit)} attempts, and none of them is paid; elsewhere "
        f"{others.mean():.0%} hear it: their environment lacks what the task is about, build it anew or leave these "
        "problems out"
    )
    numbers = {"problems": hit["problem_id"].nunique(), "attempts": len(hit)}
    return context.finding("infrastructure_zeros", "warning", message, numbers, ("alpha",), hit)


def _grader(context: Context, rows: Frame) -> Finding | None:
    lacks = rows["lacked"] != ""
    hit = _struck(context, rows, lacks, _HARDLY)
    if hit.empty or (rows[lacks].groupby("problem_id")["lacked"].nunique() == 1).mean() < _MOSTLY:
        return None
    names = ", ".join(hit["lacked"][hit["lacked"] != ""].value_counts().index[:4])
    message = (
        f"at {hit['problem_id'].nunique()} of {rows['problem_id'].nunique()} problems what graded all {len(hit)} "
        f"attempts says that {names} is not there, which the policy never wrote, and none is paid; at others hardly "
        "any meets it: what grades lacks it, add it to the image and grade again"
    )
    numbers = {"problems": hit["problem_id"].nunique(), "attempts": len(hit)}
    return context.finding("infrastructure_zeros", "warning", message, numbers, ("alpha",), hit)


def _struck(context: Context, rows: Frame, lost: Frame, elsewhere: float) -> Frame:
    """Return the attempts at problems where nearly all are lost and unpaid; none where more are lost elsewhere."""
    unpaid, by_problem = rows["reward"] <= rows["reward"].min(), rows["problem_id"]
    is_told, is_dead = lost.groupby(by_problem).mean() >= _MOSTLY, unpaid.groupby(by_problem).mean() >= _MOSTLY
    struck = is_told[is_told & is_dead].index
    hit, others = rows[by_problem.isin(struck)], rows[~by_problem.isin(struck)]
    if len(struck) < _MIN_PROBLEMS or len(hit) < _MIN_ATTEMPTS or others.empty or lost[others.index].mean() > elsewhere:
        return rows.head(0)
    table = [[int(((is_told == told) & (is_dead == dead)).sum()) for dead in (True, False)] for told in (True, False)]
    chance = float(scipy.stats.fisher_exact(table, alternative="greater").pvalue)
    return hit if chance < context.thresholds.alpha else rows.head(0)
