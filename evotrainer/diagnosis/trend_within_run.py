"""Slow decay over a run: the share of attempts that show a mark, fitted over all steps and not between its ends.

A mark that healthy attempts hardly ever show (going in circles, nothing edited, tokens far surer than before) carries
its evidence in its count. The difference of the first and the last third throws a third of the groups away, and a mean
over attempts drowns a tenth of them in the spread of the rest: a straight line through the groups' shares, step by
step, does neither. Its slope is judged by Student's t over groups, the independent units.

Odd is what lies outside the outer fences of the first third (Tukey 1977: three interquartile ranges beyond the
quartiles) and is less than half, or more than twice, its median. Quartiles stand where a few of the first attempts are
odd already, and a quantity that varies widely in health has fences that nothing reaches.
"""

import math
from typing import Any

import numpy as np
from scipy import stats

from evotrainer.diagnosis.context import (
    Context,
    Trend,
    graded,
    normal_deviate,
    significantly_above,
    thirds,
    trend,
    z_limit,
)
from evotrainer.evidence.frames import Frame
from evotrainer.records import Finding

_MIN_STEPS = 3
_FENCE = 3.0


def trend_within_run(rows: Frame, column: str, min_groups: int) -> Trend | None:
    """Return the line through the groups' means of `column` at the first and last step, and its slope's deviate.

    None below three steps or too few groups.
    """
    table = graded(rows).groupby("group").agg(step=("step", "first"), value=(column, "mean")).dropna().astype(float)
    if len(table) < min_groups or table["step"].nunique() < _MIN_STEPS:
        return None
    line: Any = stats.linregress(table["step"], table["value"])
    early, late = (float(line.intercept + line.slope * step) for step in (table["step"].min(), table["step"].max()))
    if table["value"].std() < 1e-12:
        return Trend(early, late, 0.0)
    return Trend(early, late, normal_deviate(line.slope / max(line.stderr, 1e-300), len(table) - 2))


def spreads(context: Context, rows: Frame, is_marked: Frame, least: float) -> Trend | None:
    """Return the drift of the share of marked attempts where it surely rises by `least`, and success does not rise."""
    limits = context.thresholds
    solved = trend(rows, "correct", limits.min_groups)
    if solved is None or solved.z > limits.outcome_rise:
        return None
    found = trend_within_run(rows.assign(_marked=is_marked.astype(float)), "_marked", limits.min_groups)
    if found is None or found.z < z_limit(limits.trend_alpha) or found.late - found.early < least:
        return None
    return found


def warn_if_spreading(
    context: Context, mode: str, rows: Frame, is_marked: Frame, who: str, least: str = "spreading"
) -> list[Finding]:
    """Warn where marked attempts spread over the run; `who` says which, `least` names the limit of the rise."""
    found = spreads(context, rows, is_marked, getattr(context.thresholds, least))
    if found is None:
        return []
    message = f"attempts {who} spread over the run: {found.late - found.early:+.0%}, without a better score"
    numbers = {"early": found.early, "late": found.late, "z": found.z}
    examples = rows[is_marked].sort_values("step", ascending=False, kind="stable")
    return [context.finding(mode, "warning", message, numbers, (least, "outcome_rise", "trend_alpha"), examples)]


def falls(context: Context, rows: Frame, column: str, least: float, alpha: float) -> Trend | None:
    """Return the drift of `column` where it falls by `least`, at level `alpha`, and success does not rise."""
    limits = context.thresholds
    solved = trend(rows, "correct", limits.min_groups)
    if solved is None or solved.z > limits.outcome_rise:
        return None
    found = trend_within_run(rows, column, limits.min_groups)
    if found is None or found.z > -z_limit(alpha) or found.early - found.late < least:
        return None
    return found


def warn_if_falling(context: Context, mode: str, rows: Frame, column: str, what: str, least: str) -> list[Finding]:
    """Warn where the mean of `column` over groups falls along a run; `what` says of what, `least` names the limit."""
    limits = context.thresholds
    found = falls(context, rows, column, getattr(limits, least), limits.trend_alpha)
    if found is None:
        return []
    message = f"{what} fell from {found.early:.2f} to {found.late:.2f} over the run, without a better score"
    numbers = {"early": found.early, "late": found.late, "z": found.z}
    examples = rows.sort_values("step", ascending=False, kind="stable").drop_duplicates("group")
    return [context.finding(mode, "warning", message, numbers, (least, "outcome_rise", "trend_alpha"), examples)]


def warn_if_outliers(context: Context, mode: str, rows: Frame, is_odd: Frame, who: str) -> list[Finding]:
    """Warn where surely more than `odd` of the attempts after the first third lie outside its fences.

    Only for what lies outside hardly ever in health, so that its count says more than the slope of its share does.
    """
    limits, parts = context.thresholds, thirds(rows)
    solved = trend(rows, "correct", limits.min_groups)
    if parts is None or solved is None or solved.z > limits.outcome_rise:
        return []
    later = rows["step"] > parts[0]["step"].max()
    found = rows[later & is_odd]
    if not significantly_above(len(found), int(later.sum()), limits.odd, limits.limit_alpha):
        return []
    message = f"attempts {who} are {len(found)} of {int(later.sum())} after the first steps, without a better score"
    numbers = {"attempts": len(found), "share": len(found) / int(later.sum())}
    examples = found.sort_values("step", ascending=False, kind="stable")
    return [context.finding(mode, "warning", message, numbers, ("odd", "outcome_rise", "limit_alpha"), examples)]


def oddly_sure(rows: Frame) -> Frame:
    """Tell which attempts are sampled far closer to certainty than those of the first third of steps."""
    low, middle, high = _quartiles(rows)
    return rows["mean_logprob"] > max(high + _FENCE * (high - low), middle / 2)


def oddly_wild(rows: Frame) -> Frame:
    """Tell which attempts are sampled far closer to noise than those of the first third of steps."""
    low, middle, high = _quartiles(rows)
    return rows["mean_logprob"] < min(low - _FENCE * (high - low), 2 * middle)


def _quartiles(rows: Frame) -> tuple[float, float, float]:
    """Return the quartiles of the first third of steps; NaN, which nothing exceeds, where there is none."""
    parts = thirds(rows)
    known = parts[0]["mean_logprob"].dropna() if parts is not None else []
    low, middle, high = np.quantile(known, [0.25, 0.5, 0.75]) if len(known) else (math.nan,) * 3
    return float(low), float(middle), float(high)
