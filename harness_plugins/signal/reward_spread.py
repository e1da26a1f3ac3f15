"""Reward spread: the mean over groups of the in-group standard deviation of the reward.

Below 0.05 (base metrics of EvoTrainer, arXiv 2606.03108) there is hardly anything to learn from, dead groups or not.
The reward terms' own means and deviations are given beside it, as term_<name>_mean and term_<name>_std.
"""

import math

from evotrainer.diagnosis.context import Context, Diagnosis, group_table, known, of_groups, t_limit
from evotrainer.diagnosis.hookspecs import hookimpl
from evotrainer.evidence.frames import TERM_PREFIX


@hookimpl
def diagnose(context: Context) -> Diagnosis:
    """Return the spread of rewards and terms; warn where the spread is surely below the limit."""
    table, rows, limits = group_table(context.rows), context.graded, context.thresholds
    terms = [column for column in rows.columns if column.startswith(TERM_PREFIX)]
    metrics = {f"{term}_mean": rows[term].mean() for term in terms} | {
        f"{term}_std": rows[term].std() for term in terms
    }
    if table.empty:
        return Diagnosis(known(metrics))
    spread = float(table["reward_std"].mean())
    # A sample without any spread does not prove that there is none: the limit is the least deviation assumed.
    deviation = max(float(table["reward_std"].std()), limits.reward_spread) if len(table) > 1 else math.inf
    error = deviation / math.sqrt(len(table))
    findings = []
    if len(table) >= limits.min_groups and spread + t_limit(limits.alpha, len(table)) * error < limits.reward_spread:
        message = f"rewards within a group differ by {spread:.3f} on average: the advantage is mostly noise"
        findings.append(
            context.finding(
                "low_reward_spread",
                "warning",
                message,
                {"reward_spread": spread, "standard_error": error},
                ("reward_spread", "min_groups", "alpha"),
                of_groups(context.rows, table.nsmallest(20, "reward_std")).drop_duplicates("group"),
            )
        )
    return Diagnosis(known({**metrics, "reward_spread": spread}), findings)
