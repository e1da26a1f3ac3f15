"""Statistics over groups of attempts: shares against limits, trends over a run, change against the incumbent.

Groups are the independent units. Two tests of a run: `trend` compares the groups of the first third of steps with those
of the last (Welch), `line_trend` fits a straight line through all of them, which finds what is slower (Student's t).
"""

import math
from dataclasses import dataclass

import numpy as np
import pandas as pd
from scipy import special

from evotrainer.diagnosis import stats
from evotrainer.diagnosis.context import Context, graded
from evotrainer.diagnosis.thresholds import LIMITS
from evotrainer.evidence.frames import Frame

_MAX_DEVIATE = 30.0
"""A normal deviate beyond which a tail probability is 0 in floating point."""
_FENCE = 3.0
"""Interquartile ranges from a quartile to the outer fence (Tukey 1977)."""
_SUCCESS = "solve_rate"


@dataclass(frozen=True)
class Trend:
    """A mean over groups early and late, or before and now."""

    early: float
    late: float
    z: float
    """The difference as a normal deviate, at equal tail probability."""


def significantly_above(count: int, total: int, limit: float, alpha: float) -> bool:
    """Tell whether `count` of `total` is significantly above the share `limit`: exact binomial, one-sided."""
    return total > 0 and stats.tail_above(count, total, limit) < alpha


def significantly_below(count: int, total: int, limit: float, alpha: float) -> bool:
    """Tell whether `count` of `total` is significantly below the share `limit`: exact binomial, one-sided."""
    return total > 0 and stats.tail_below(count, total, limit) < alpha


def z_limit(alpha: float) -> float:
    """Return the one-sided normal limit of level `alpha`."""
    return float(-special.ndtri(alpha))


def t_limit(alpha: float, count: float) -> float:
    """Return the one-sided limit of level `alpha` for a mean of `count` values with estimated deviation (Student)."""
    return float(-special.stdtrit(max(count - 1.0, 1.0), alpha))


def correlation(first: Frame, second: Frame) -> float:
    """Return Pearson's correlation over rows where both are known; NaN where either is constant."""
    both: Frame = pd.DataFrame({"first": first, "second": second}).dropna()
    if len(both) < 3 or both["first"].std() < 1e-12 or both["second"].std() < 1e-12:
        return math.nan
    return float(np.corrcoef(both["first"], both["second"])[0, 1])


def significantly_correlated(value: float, count: int, limit: float, alpha: float) -> bool:
    """Tell whether a correlation of `count` pairs is significantly above `limit` (Fisher's z)."""
    if not math.isfinite(value) or count < 10:
        return False
    bounded = min(max(value, -1 + 1e-12), 1 - 1e-12)
    return (math.atanh(bounded) - math.atanh(limit)) * math.sqrt(count - 3) > z_limit(alpha)


def thirds(frame: Frame) -> tuple[Frame, Frame] | None:
    """Return the rows of the first and of the last third of steps; None below three steps."""
    found = stats.thirds(frame["step"].to_numpy(float))
    return None if found is None else (frame[found[0]], frame[found[1]])


def trend(frame: Frame, column: str, min_groups: int) -> Trend | None:
    """Compare the first third of steps with the last; None below three steps or too few groups."""
    parts = thirds(frame[["error", "group", "step", column]])
    if parts is None:
        return None
    means = [graded(part).groupby("group")[column].mean().dropna() for part in parts]
    if min(map(len, means)) < min_groups:
        return None
    was, now = (float(part.mean()) for part in means)
    shares = [float(part.var()) / len(part) for part in means]
    if sum(shares) == 0:
        return Trend(was, now, 0.0 if now == was else math.copysign(_MAX_DEVIATE, now - was))
    freedom = sum(shares) ** 2 / sum(s**2 / max(len(part) - 1, 1) for s, part in zip(shares, means, strict=True))
    return Trend(was, now, _normal_deviate((now - was) / math.sqrt(sum(shares)), freedom))


def flat_success(context: Context, rows: Frame) -> Trend | None:
    """Return the trend of the solve rate over a run where it does not rise; None where it rises or is unknown."""
    solved = trend(rows, "correct", LIMITS.min_groups)
    return None if solved is None or solved.z > LIMITS.outcome_rise else solved


def line_trend(rows: Frame, column: str, min_groups: int) -> Trend | None:
    """Return the line through the groups' means of `column` at the first and last step, and its slope as a deviate.

    None below three steps or too few groups.
    """
    by_group = graded(rows[["error", "group", "step", column]]).groupby("group")
    table = by_group.agg(step=("step", "first"), value=(column, "mean")).dropna().astype(float)
    if len(table) < min_groups or table["step"].nunique() < 3:
        return None
    x, y = table["step"].to_numpy(), table["value"].to_numpy()
    ssxm, ssxym, _, ssym = np.cov(x, y, bias=True).flat
    slope = ssxym / ssxm
    early, late = (float(y.mean() + slope * (step - x.mean())) for step in (x.min(), x.max()))
    error = math.sqrt(max(ssym - slope * ssxym, 0.0) / ssxm / (len(x) - 2))
    return Trend(early, late, 0.0 if y.std() < 1e-12 else _normal_deviate(slope / max(error, 1e-300), len(x) - 2))


def incumbent_trend(context: Context, rows: Frame, column: str, before: float) -> Trend | None:
    """Return `before`, a mean over the incumbent's groups, with the mean here, and the difference as a deviate.

    The incumbent's metric has no standard error, so the error is that of these groups alone. None without an incumbent,
    for too few groups, and where success rose significantly.
    """
    known = context.before
    if _SUCCESS not in known:
        return None
    values, solved = (rows.groupby("group")[name].mean().astype(float).dropna() for name in (column, "correct"))
    is_better = len(solved) >= LIMITS.min_groups and _deviate(solved, known[_SUCCESS]) > LIMITS.outcome_rise
    if min(len(values), len(solved)) < LIMITS.min_groups or is_better:
        return None
    return Trend(before, float(values.mean()), _deviate(values, before))


def unusual(rows: Frame, sign: int) -> Frame:
    """Tell which attempts are sampled with far more (1), or far less (-1), certainty than the first third of steps.

    They lie outside its outer fences, and below half, or above twice, its median.
    """
    parts = thirds(rows)
    known = parts[0]["mean_logprob"].dropna() if parts is not None else []
    low, middle, high = np.quantile(known, [0.25, 0.5, 0.75]) if len(known) else (math.nan,) * 3
    if sign > 0:
        return rows["mean_logprob"] > max(high + _FENCE * (high - low), middle / 2)
    return rows["mean_logprob"] < min(low - _FENCE * (high - low), 2 * middle)


def _deviate(values: Frame, before: float) -> float:
    """Return the normal deviate of the mean of groups against a fixed number, by Student's t."""
    error, difference = float(values.std()) / math.sqrt(len(values)), round(float(values.mean()) - before, 12)
    return _normal_deviate(difference / max(error, 1e-300), len(values) - 1)


def _normal_deviate(t: float, freedom: float) -> float:
    """Return the normal deviate that is as rare as Student's `t`, at most 30 either way."""
    tail = float(special.stdtr(freedom, -abs(t)))
    return math.copysign(min(-float(special.ndtri(tail)), _MAX_DEVIATE), t)
