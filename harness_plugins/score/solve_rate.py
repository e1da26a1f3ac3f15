"""Scores: solve rates, of families too."""

import math

from evotrainer.diagnosis.context import Context, Diagnosis, known, word
from evotrainer.diagnosis.hookspecs import hookimpl
from evotrainer.diagnosis.thresholds import LIMITS
from evotrainer.diagnosis.trends import t_limit, trend, z_limit
from evotrainer.evidence.frames import Frame
from evotrainer.records import Finding


@hookimpl
def score(context: Context) -> Diagnosis:
    """Return score metrics; warn when the solve rate falls over a run on an unchanged mix of problems.

    solve_rate; avg_at_k, the mean over groups; pass_at_k, the share of groups with any success. Source: base metrics of
    EvoTrainer (arXiv 2606.03108).
    """
    rows = context.graded
    rows = rows[rows["correct"].notna()]
    if rows.empty:
        return Diagnosis()
    groups = rows.groupby("group")["correct"]
    metrics = {
        "solve_rate": rows["correct"].mean(),
        "avg_at_k": groups.mean().mean(),
        "pass_at_k": (groups.max() >= 1.0).mean(),
        "mean_reward": rows["reward"].mean(),
        "num_rows": len(context.rows),
        "num_groups": groups.ngroups,
    }
    return Diagnosis(known(metrics), _decline(context))


def _decline(context: Context) -> list[Finding]:
    if context.training_recipe is not None and context.training_recipe.data.curriculum != "none":
        return []  # a curriculum changes the mix of problems, and with it the solve rate
    change = trend(context.training, "correct", LIMITS.min_groups)
    if change is None or change.early - change.late < LIMITS.decline or change.z > -z_limit(LIMITS.alpha):
        return []
    message = (
        f"the solve rate on training rows fell from {change.early:.2f} to {change.late:.2f} over the run (limit "
        f"{LIMITS.decline:g}): lower the learning rate"
    )
    numbers = {"early": change.early, "late": change.late, "z": change.z}
    return [context.finding("score_decline", "warning", message, numbers)]


_MAX_FAMILIES = 100
"""Names of families beyond which they are names of problems: those of few problems then get no metric."""


@hookimpl
def families(context: Context) -> Diagnosis:
    """Return solve_rate_<family>; info for a family that is solved 40 points less often than the others together."""
    rows, findings = context.graded, []
    rows = rows[(rows["family"] != "") & rows["correct"].notna()]
    if rows.empty:
        return Diagnosis()
    rates = rows.groupby("family")["correct"].mean()
    by_problem = rows.groupby(["family", "problem_id"])["correct"].mean()
    large = rates[by_problem.groupby("family").size() >= LIMITS.min_groups]
    named = rates if len(rates) <= _MAX_FAMILIES else large
    for family in large.index:
        own, others = by_problem[family], by_problem.drop(family, level="family")
        gap, low = _gap(others, own, LIMITS.alpha)
        if len(others) < LIMITS.min_groups or low <= LIMITS.family_gap:
            continue
        message = (
            f"the family '{family}' is solved in {own.mean():.0%}, the others in {others.mean():.0%} (limit of the gap "
            f"{LIMITS.family_gap:.0%}): train on more of it"
        )
        examples = rows[(rows["family"] == family) & (rows["correct"] < 1.0)].drop_duplicates("problem_id")
        findings.append(context.finding("weak_family", "info", message, {"gap": gap}, examples))
    return Diagnosis(known({f"solve_rate_{word(str(name))}": rate for name, rate in named.items()}), findings)


def _gap(more: Frame, less: Frame, alpha: float) -> tuple[float, float]:
    """Return the difference of two means, and its lower bound."""
    gap = float(more.mean() - less.mean())
    error = math.sqrt(float(more.var()) / max(len(more), 1) + float(less.var()) / max(len(less), 1))
    return gap, gap - t_limit(alpha, min(len(more), len(less))) * error
