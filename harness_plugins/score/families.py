"""Families: the solve rate of each family of problems, as solve_rate_<family>, and families far below the others.

A family that is solved 40 points less often than the others together, significantly over its problems, has the most to
gain: it points to the mixture of training problems. Where rows name more than 100 families, those of few problems get
no metric, since such names are names of problems.
"""

import math
import re

from evotrainer.diagnosis.context import Context, Diagnosis, known, t_limit
from evotrainer.diagnosis.hookspecs import hookimpl

_MAX_FAMILIES = 100


@hookimpl
def diagnose(context: Context) -> Diagnosis:
    """Return solve rates by family; info for a family far below the others."""
    rows = context.graded
    rows = rows[(rows["family"] != "") & rows["correct"].notna()]
    if rows.empty:
        return Diagnosis()
    rates = rows.groupby("family")["correct"].mean()
    by_problem = rows.groupby(["family", "problem_id"])["correct"].mean()
    limits, findings = context.thresholds, []
    sizes = by_problem.groupby("family").size()
    large = rates[sizes >= limits.min_groups]
    named = rates if len(rates) <= _MAX_FAMILIES else large
    metrics = known({f"solve_rate_{_word(str(family))}": rate for family, rate in named.items()})
    for family in large.index:
        own, others = by_problem[family], by_problem.drop(family, level="family")
        if len(others) < limits.min_groups:
            continue
        gap = float(others.mean() - own.mean())
        error = math.sqrt(float(own.var()) / len(own) + float(others.var()) / len(others))
        if gap - t_limit(limits.alpha, min(len(own), len(others))) * error > limits.family_gap:
            message = (
                f"the family '{family}' is solved in {own.mean():.0%}, the others in {others.mean():.0%} (limit of the "
                f"gap {limits.family_gap:.0%}): train on more of it"
            )
            examples = rows[(rows["family"] == family) & (rows["correct"] < 1.0)].drop_duplicates("problem_id")
            numbers = {"gap": gap, "standard_error": error}
            limit_names = ("family_gap", "min_groups", "alpha")
            findings.append(context.finding("weak_family", "info", message, numbers, limit_names, examples))
    return Diagnosis(metrics, findings)


def _word(family: str) -> str:
    return re.sub(r"[^a-z0-9]+", "_", family.lower()).strip("_") or "unnamed"
