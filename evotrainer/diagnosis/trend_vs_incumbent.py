"""Change against the incumbent: the mean over groups of this evidence against a metric of the incumbent.

A mark that healthy attempts rarely show is found here before it is common. The incumbent's metric is how rare it was;
a run compared with itself has only its first steps for that. The incumbent's metric has no standard error, so the
error is that of these groups alone, and a limit on the change compensates. Where success rises significantly the
change is how the policy came to succeed, and no finding.
"""

import math

from evotrainer.diagnosis.context import Context, Trend, normal_deviate, z_limit
from evotrainer.evidence.frames import Frame
from evotrainer.records import Finding

_SUCCESS = "solve_rate"


def trend_vs_incumbent(context: Context, rows: Frame, column: str, metric: str) -> Trend | None:
    """Return the incumbent's `metric`, the mean of `column` over groups here, and the difference as a deviate.

    None without an incumbent or its metric, for too few groups, and where success rose significantly.
    """
    limits, before = context.thresholds, context.reference.metrics if context.reference is not None else {}
    if not {metric, _SUCCESS} <= before.keys():
        return None
    values, solved = (rows.groupby("group")[name].mean().astype(float).dropna() for name in (column, "correct"))
    if min(len(values), len(solved)) < limits.min_groups or _deviate(solved, before[_SUCCESS]) > limits.outcome_rise:
        return None
    return Trend(before[metric], float(values.mean()), _deviate(values, before[metric]))


def warn_if_above_incumbent(
    context: Context, mode: str, rows: Frame, is_marked: Frame, who: str, metric: str
) -> list[Finding]:
    """Warn where significantly more attempts are marked than the incumbent's `metric`; `who` describes them."""
    limits = context.thresholds
    found = trend_vs_incumbent(context, rows.assign(_marked=is_marked.astype(float)), "_marked", metric)
    if found is None or found.late - found.early < limits.rise_vs_incumbent or found.z < z_limit(limits.trend_alpha):
        return []
    message = (
        f"attempts {who} are {found.late:.1%}, {found.early:.1%} in the incumbent (limit "
        f"{limits.rise_vs_incumbent:+.0%}), without a better score"
    )
    numbers = {"before": found.early, "now": found.late, "z": found.z}
    limit_names = ("rise_vs_incumbent", "outcome_rise", "trend_alpha")
    return [context.finding(mode, "warning", message, numbers, limit_names, rows[is_marked])]


def _deviate(values: Frame, before: float) -> float:
    """Return the normal deviate of the mean of groups against a fixed number, by Student's t."""
    error, difference = float(values.std()) / math.sqrt(len(values)), round(float(values.mean()) - before, 12)
    return normal_deviate(difference / max(error, 1e-300), len(values) - 1)
