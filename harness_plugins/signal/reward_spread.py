"""Reward spread: the mean over groups of the in-group standard deviation of the reward.

Below 0.05 (base metrics of EvoTrainer, arXiv 2606.03108) the advantage is mostly noise, with or without dead groups.
An evaluation alone has no advantage, and is not judged. Means and deviations of the reward terms are term_<name>_mean
and term_<name>_std.
"""

import math

from evotrainer.diagnosis.context import Context, Diagnosis, group_table, known, of_groups, t_limit
from evotrainer.diagnosis.hookspecs import hookimpl
from evotrainer.domains.problem_sets.overlap import HELD
from evotrainer.evidence.frame_columns import TERM_PREFIX


@hookimpl
def diagnose(context: Context) -> Diagnosis:
    """Return the spread of rewards and terms; warn where the spread is significantly below the limit."""
    table, rows, limits = group_table(context.rows), context.graded, context.thresholds
    terms = [column for column in rows.columns if column.startswith(TERM_PREFIX)]
    metrics = {f"{term}_mean": rows[term].mean() for term in terms} | {
        f"{term}_std": rows[term].std() for term in terms
    }
    if table.empty:
        return Diagnosis(known(metrics))
    spread = float(table["reward_std"].mean())
    metrics["reward_spread"] = spread
    if context.rows["split"].isin(HELD).all():
        return Diagnosis(known(metrics))
    # A sample without spread does not prove that there is none, so the deviation is at least the limit.
    deviation = max(float(table["reward_std"].std()), limits.reward_spread) if len(table) > 1 else math.inf
    error = deviation / math.sqrt(len(table))
    findings = []
    if len(table) >= limits.min_groups and spread + t_limit(limits.alpha, len(table)) * error < limits.reward_spread:
        message = (
            f"rewards within a group have a deviation of {spread:.3f} on average (limit {limits.reward_spread:g}): the "
            "advantage is mostly noise"
        )
        numbers = {"reward_spread": spread, "standard_error": error}
        limit_names = ("reward_spread", "min_groups", "alpha")
        examples = of_groups(context.rows, table.nsmallest(20, "reward_std")).drop_duplicates("group")
        findings.append(context.finding("low_reward_spread", "warning", message, numbers, limit_names, examples))
    return Diagnosis(known(metrics), findings)
