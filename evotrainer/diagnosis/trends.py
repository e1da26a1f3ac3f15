"""Slow trends over a run: a straight line through the groups' means, step by step.

The share of attempts with a mark that healthy attempts rarely show (going in circles, nothing edited, rare certainty)
carries its evidence in its count. The difference of the first and the last third discards a third of the groups, and a
mean over attempts hides a tenth of them in the spread of the rest. A line uses all groups. Its slope is tested by
Student's t over groups, the independent units.

Outliers lie outside the outer fences of the first third (Tukey 1977: three interquartile ranges beyond the quartiles)
and are below half, or above twice, its median. Quartiles resist a few outliers among the first attempts, and a quantity
that varies widely in healthy runs has fences that nothing reaches.

Change against the incumbent: the mean over groups of this evidence against a metric of the incumbent.

A mark that healthy attempts rarely show is found here before it is common. The incumbent's metric is how rare it was;
a run compared with itself has only its first steps for that. The incumbent's metric has no standard error, so the
error is that of these groups alone, and a limit on the change compensates. Where success rises significantly the
change is how the policy came to succeed, and no finding.
"""

import math
from typing import NamedTuple

import numpy as np

from evotrainer.diagnosis.context import Context, Trend, graded, normal_deviate, significantly_above, thirds, z_limit
from evotrainer.evidence.frames import Frame
from evotrainer.records import Finding

_MIN_STEPS = 3
_FENCE = 3.0


def trend_within_run(rows: Frame, column: str, min_groups: int) -> Trend | None:
    """Return the line through the groups' means of `column` at the first and last step, and its slope as a deviate.

    None below three steps or too few groups.
    """
    table = (
        graded(rows[["error", "group", "step", column]])
        .groupby("group")
        .agg(step=("step", "first"), value=(column, "mean"))
        .dropna()
        .astype(float)
    )
    if len(table) < min_groups or table["step"].nunique() < _MIN_STEPS:
        return None
    line = line_through(table["step"].to_numpy(), table["value"].to_numpy())
    early, late = (float(line.intercept + line.slope * step) for step in (table["step"].min(), table["step"].max()))
    if table["value"].std() < 1e-12:
        return Trend(early, late, 0.0)
    return Trend(early, late, normal_deviate(line.slope / max(line.stderr, 1e-300), len(table) - 2))


class _Line(NamedTuple):
    """A straight line of least squares, and the standard error of its slope."""

    slope: float
    intercept: float
    stderr: float


def line_through(x: np.ndarray, y: np.ndarray) -> _Line:
    """Return the line through at least three points: the bits of scipy.stats.linregress, without a second's import."""
    ssxm, ssxym, _, ssym = np.cov(x, y, bias=True).flat
    r = float(min(max(ssxym / np.sqrt(ssxm * ssym), -1.0), 1.0)) if ssym else 0.0
    slope = ssxym / ssxm
    stderr = np.sqrt((1 - r**2) * ssym / ssxm / (len(x) - 2))
    return _Line(slope, np.mean(y) - slope * np.mean(x), stderr)


def spreads(context: Context, rows: Frame, is_marked: Frame, least: float) -> Trend | None:
    """Return the trend of the share of marked attempts where it rises by `least` and success does not rise."""
    marked = rows.assign(_marked=is_marked.astype(float))
    return _steady(context, marked, "_marked", 1, least, context.thresholds.trend_alpha)


def warn_if_spreading(
    context: Context, mode: str, rows: Frame, is_marked: Frame, who: str, least: str = "spreading"
) -> list[Finding]:
    """Warn where marked attempts spread over the run; `who` describes them, `least` names the limit of the rise."""
    found = spreads(context, rows, is_marked, getattr(context.thresholds, least))
    if found is None:
        return []
    message = (
        f"attempts {who} spread over the run, from {_share(found.early)} to {_share(found.late)} (limit "
        f"{getattr(context.thresholds, least):+.0%}), without a better score"
    )
    numbers = {"early": found.early, "late": found.late, "z": found.z}
    examples = rows[is_marked].sort_values("step", ascending=False, kind="stable")
    return [context.finding(mode, "warning", message, numbers, (least, "outcome_rise", "trend_alpha"), examples)]


def _share(value: float) -> str:
    """Return a point of a line through shares, which may end beyond them."""
    return f"{min(max(value, 0.0), 1.0):.0%}"


def falls(context: Context, rows: Frame, column: str, least: float, alpha: float) -> Trend | None:
    """Return the trend of `column` where it falls by `least` at level `alpha` and success does not rise."""
    return _steady(context, rows, column, -1, least, alpha)


def _steady(context: Context, rows: Frame, column: str, sign: int, least: float, alpha: float) -> Trend | None:
    """Return the trend of `column` where it goes by `least` in the direction `sign`, and success does not rise."""
    if context.flat_success(rows) is None:
        return None
    found = trend_within_run(rows, column, context.thresholds.min_groups)
    if found is None or sign * found.z < z_limit(alpha) or sign * (found.late - found.early) < least:
        return None
    return found


def warn_if_falling(context: Context, mode: str, rows: Frame, column: str, what: str, least: str) -> list[Finding]:
    """Warn where the mean of `column` over groups falls along a run; `what` describes it, `least` names the limit."""
    limits = context.thresholds
    found = falls(context, rows, column, getattr(limits, least), limits.trend_alpha)
    if found is None:
        return []
    message = (
        f"{what} fell from {found.early:.2f} to {found.late:.2f} over the run (limit {getattr(limits, least):g}), "
        "without a better score"
    )
    numbers = {"early": found.early, "late": found.late, "z": found.z}
    examples = rows.sort_values("step", ascending=False, kind="stable").drop_duplicates("group")
    return [context.finding(mode, "warning", message, numbers, (least, "outcome_rise", "trend_alpha"), examples)]


def warn_if_outliers(context: Context, mode: str, rows: Frame, is_outlier: Frame, who: str) -> list[Finding]:
    """Warn where significantly more than `far_outliers` of the attempts after the first third lie outside its fences.

    Only for outliers that are rare in healthy runs: then their count is more sensitive than the slope of their share.
    """
    limits, parts = context.thresholds, thirds(rows)
    if parts is None or context.flat_success(rows) is None:
        return []
    later = rows["step"] > parts[0]["step"].max()
    found = rows[later & is_outlier]
    if not significantly_above(len(found), int(later.sum()), limits.far_outliers, limits.limit_alpha):
        return []
    message = (
        f"attempts {who} are {len(found)} of {int(later.sum())} after the first steps (limit "
        f"{limits.far_outliers:.0%}), without a better score"
    )
    numbers = {"attempts": len(found), "share": len(found) / int(later.sum())}
    examples = found.sort_values("step", ascending=False, kind="stable")
    return [
        context.finding(mode, "warning", message, numbers, ("far_outliers", "outcome_rise", "limit_alpha"), examples)
    ]


def unusually_certain(rows: Frame) -> Frame:
    """Tell which attempts are sampled with far more certainty than those of the first third of steps."""
    low, middle, high = _quartiles(rows)
    return rows["mean_logprob"] > max(high + _FENCE * (high - low), middle / 2)


def unusually_uncertain(rows: Frame) -> Frame:
    """Tell which attempts are sampled with far less certainty than those of the first third of steps."""
    low, middle, high = _quartiles(rows)
    return rows["mean_logprob"] < min(low - _FENCE * (high - low), 2 * middle)


def _quartiles(rows: Frame) -> tuple[float, float, float]:
    """Return the quartiles of the first third of steps; NaN, which nothing exceeds, where there is none."""
    parts = thirds(rows)
    known = parts[0]["mean_logprob"].dropna() if parts is not None else []
    low, middle, high = np.quantile(known, [0.25, 0.5, 0.75]) if len(known) else (math.nan,) * 3
    return float(low), float(middle), float(high)


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
