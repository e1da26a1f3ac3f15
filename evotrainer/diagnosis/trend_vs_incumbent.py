"""Change since the version before: the mean over groups of this evidence against a metric of the incumbent.

A mark that healthy attempts hardly ever show is told here long before it spreads far: the version before says how rare
it was, and a run that is judged against itself alone has only its first steps for that. The incumbent's number comes
without its spread, so chance is that of these groups alone; a limit on the change makes up for it. What changes while
success surely rises is how the policy came to succeed, and no decay.
"""

import math

from evotrainer.diagnosis.context import Context, Trend, normal_deviate, z_limit
from evotrainer.evidence.frames import Frame
from evotrainer.records import Finding

_SUCCESS = "solve_rate"


def trend_vs_incumbent(context: Context, rows: Frame, column: str, metric: str) -> Trend | None:
    """Return the incumbent's `metric`, the mean of `column` over groups here, and the difference's deviate.

    None where there is no incumbent, where it lacks the metric, where groups are too few, where success surely rose.
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
    """Warn where surely more attempts carry a mark than the incumbent's `metric` says; `who` says which attempts."""
    limits = context.thresholds
    found = trend_vs_incumbent(context, rows.assign(_marked=is_marked.astype(float)), "_marked", metric)
    if found is None or found.late - found.early < limits.risen or found.z < z_limit(limits.trend_alpha):
        return []
    message = f"attempts {who} are {found.late:.1%}, {found.early:.1%} in the version before, without a better score"
    numbers = {"before": found.early, "now": found.late, "z": found.z}
    limit_names = ("risen", "outcome_rise", "trend_alpha")
    return [context.finding(mode, "warning", message, numbers, limit_names, rows[is_marked])]


def _deviate(values: Frame, before: float) -> float:
    """Return the normal deviate of the mean of groups against a fixed number, by Student's t."""
    error, difference = float(values.std()) / math.sqrt(len(values)), round(float(values.mean()) - before, 12)
    return normal_deviate(difference / max(error, 1e-300), len(values) - 1)
