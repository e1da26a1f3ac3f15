"""Advantage mismatch: the advantage that training used is not a function of the reward.

A field that overwrites the advantage (a penalty, a stale tensor) breaks training silently. The check recomputes it
group by group. Every usual normalisation (group mean and deviation, mean alone, batch deviation, leave-one-out) is an
increasing affine function of the reward within a group. So equal rewards must have equal advantages, a higher reward a
higher one, and three must lie on a line. Values at the ends of a clipped range may be equal.

Stored numbers may be rounded; what rounding alone explains is no distance.

With a recipe that normalises within the group, the values themselves must agree. Rows that are not in the loss are left
out: their advantage is 0 by definition.

Rows without a recipe may come from an estimator that is not relative to the group: a critic, a penalty inside the
reward, an average over tokens. It is told from a fault by its groups: hardly any of them holds the identities exactly,
and the advantages still rise with the rewards. So are one that pays the best of a group alone, and one of small
penalties, where all groups hold them nearly. That is an info, and nothing else is judged.

The stored reward may also lack the weights of its terms (TRL logs the terms alone), or a term that stands in a column
of another name (a penalty for length): advantages that follow any weighted sum of the terms, of the terms each
normalised by itself, or of the reward and the row's other numbers, which itself follows the reward, are an info too.
Groups that hold several draws of a problem are left out.
"""

import math
from collections.abc import Sequence

import numpy as np
import pandas as pd
import scipy

from evotrainer.algorithm.advantages import EPSILON
from evotrainer.algorithm.filters import DEAD_SPREAD
from evotrainer.diagnosis.context import Context, Diagnosis, correlation, graded, known, of_groups
from evotrainer.diagnosis.hookspecs import hookimpl
from evotrainer.evidence.frame_columns import TERM_PREFIX
from evotrainer.evidence.frames import Frame
from evotrainer.records import Finding

_TOLERANCE = 1e-3
_EXACT = 0.05
"""Share of groups that hold the identities, beyond which the estimator is one of groups."""
_DECIMALS = (3, 4, 5, 6)
"""Decimals to which files round numbers; fewer are no rounding but numbers of their own."""
_FOLLOWS = 0.15
"""Correlation of advantage and reward within a step from which an advantage follows the reward."""
_FEW_VALUES = 0.15
"""Values of advantages, as a share of the rows, that no critic gives: its expectations are as many as attempts."""
_SEVERAL_DRAWS = 1.5
_NEARLY = 0.1
"""Relative distance from the identities that small penalties inside the reward make."""
_MAX_SUMMANDS = 16
"""Columns whose weighted sum is asked for: so few weights fit hundreds of groups only where they are right."""
_SAME_REWARD = 0.5
"""Correlation from which a weighted sum of terms is the stored reward with other weights."""


@hookimpl
def diagnose(context: Context) -> Diagnosis:
    """Return the share of groups whose advantage does not follow from the reward; critical above 1%."""
    rows = graded(context.training)
    rows = rows[rows["advantage"].notna() & rows["reward"].notna() & (rows["in_loss"] != 0.0)]
    size = rows.groupby("group")["group"].transform("size")
    rows = rows[size >= 2]
    if context.training_recipe is None and len(rows):
        rows = rows[size[rows.index] < _SEVERAL_DRAWS * float(size[rows.index].mode().iloc[0])]
    if rows.empty:
        return Diagnosis()
    gaps = _gaps(rows, context.training_recipe.algorithm.advantage if context.training_recipe else "")
    if context.training_recipe is None:
        other = _weighted_sum(rows, gaps) or _other_estimator(rows, gaps)
        if other:
            return Diagnosis(findings=[_not_judged(context, rows, other)])
        gaps = gaps.where(~_is_clipped(rows), 0.0)
    wrong = gaps[gaps > _TOLERANCE].sort_values(ascending=False, kind="stable")
    share, limits = len(wrong) / len(gaps), context.thresholds
    findings = []
    if share > limits.advantage_mismatch and (len(wrong) >= 2 or share == 1.0):
        message = (
            f"in {len(wrong)} of {len(gaps)} groups the stored advantage is not a function of the reward: "
            f"look for code that overwrites it (limit {limits.advantage_mismatch:.0%} of groups)"
        )
        numbers = {"advantage_mismatch": share, "largest_gap": float(wrong.iloc[0])}
        limit_names = ("advantage_mismatch",)
        examples = of_groups(rows, wrong.to_frame())
        findings.append(context.finding("advantage_mismatch", "critical", message, numbers, limit_names, examples))
    return Diagnosis(known({"advantage_mismatch": share}), findings)


def _not_judged(context: Context, rows: Frame, name: str) -> Finding:
    value = _follows(rows)
    message = (
        f"not an advantage of the stored reward within its group ({name}): it follows the reward (correlation "
        f"{value:.2f}), which is all that is judged"
    )
    return context.finding("advantage_mismatch", "info", message, {"correlation": value})


def _other_estimator(rows: Frame, gaps: Frame) -> str:
    """Return what kind of estimator, not relative to groups, gave the advantages; empty where they are, or fail."""
    spread = rows.groupby("group")["reward"].std()
    live = gaps[spread[spread > DEAD_SPREAD].index]
    if live.empty or (live <= _TOLERANCE).mean() == 1.0:
        return ""
    if (rows["num_tokens"] > 0).all():
        spread_out = rows.assign(advantage=rows["advantage"] * rows["num_tokens"])
        if (_gaps(spread_out, "")[live.index] <= _TOLERANCE).mean() > 1 - _EXACT:
            return "averaged over tokens"
    if (live <= _NEARLY).mean() > 1 - _EXACT:
        return "small penalties inside the reward" if (live > _TOLERANCE).mean() > _EXACT else ""
    if _of_other_groups(rows):
        return ""
    is_exact = (live <= _TOLERANCE) & _is_centred(rows)[live.index]
    if is_exact.mean() > _EXACT or _follows(rows) < _FOLLOWS:
        return ""
    return "a critic, or penalties inside the reward"


def _of_other_groups(rows: Frame) -> bool:
    """Tell whether the advantages are those of groups, though not of the groups that the rows name.

    Of a binary reward a group of n attempts with k right ones has one of n - 1 pairs of advantages. Where all of them
    are such values, each found k (or n - k) times or a multiple of it in its step, attempts of other problems made up
    the groups.
    """
    size = rows.groupby("group")["group"].transform("size")
    low, high = float(rows["reward"].min()), float(rows["reward"].max())
    if size.nunique() > 1 and rows["reward"].isin([low, high]).all() and _are_few(rows):
        return True
    if (
        size.nunique() > 1
        or not rows["reward"].isin([low, high]).all()
        or rows["advantage"].nunique() > 4 * size.iloc[0]
    ):
        return False
    n, is_high = int(size.iloc[0]), rows["reward"] == high
    right_K = np.arange(1, n)
    for spread_K in (
        np.sqrt(right_K * (n - right_K)) / n,
        np.sqrt(right_K * (n - right_K) / (n * (n - 1))),
        np.full(n - 1, 1.0 / (high - low)),
    ):
        above_K, below_K = (1 - right_K / n) / spread_K, -(right_K / n) / spread_K
        if all(
            _is_multiple(part, values_K, counts_K)
            for part, values_K, counts_K in ((rows[is_high], above_K, right_K), (rows[~is_high], below_K, n - right_K))
        ):
            return True
    return False


def _are_few(rows: Frame) -> bool:
    """Tell whether advantages have few values though groups lost attempts, and differ among a group's equal rewards."""
    values = rows["advantage"].round(3)
    differ = values.groupby([rows["group"], rows["reward"]]).nunique() > 1
    return bool(values.nunique() <= _FEW_VALUES * len(rows) and differ.mean() > _FEW_VALUES)


def _is_multiple(rows: Frame, values_K: np.ndarray, counts_K: np.ndarray) -> bool:
    """Tell whether the advantages of each step are these values, each a multiple of its count of times, or 0."""
    live = rows[rows["advantage"].abs() > _TOLERANCE]
    if live.empty:
        return False
    gaps_RK = np.abs(live["advantage"].to_numpy(float)[:, None] - values_K[None, :])
    nearest_R = gaps_RK.argmin(axis=1)
    if (gaps_RK.min(axis=1) > 10 * _TOLERANCE).any():
        return False
    found = (
        live.assign(_count=counts_K[nearest_R], _value=nearest_R)
        .groupby(["step", "_value"])["_count"]
        .agg(["size", "first"])
    )
    return bool((found["size"] % found["first"] == 0).mean() > 1 - _EXACT)


def _weighted_sum(rows: Frame, gaps: Frame) -> str:
    """Return the weights of terms that give the advantages; empty for none."""
    if (gaps <= _TOLERANCE).all():
        return ""
    terms = [str(name) for name in rows.columns if str(name).startswith(TERM_PREFIX)]
    return _weights_of(rows, terms) or _weights_of(_each_normalised(rows, terms), terms)


def _each_normalised(rows: Frame, names: Sequence[str]) -> Frame:
    """Return rows whose terms are divided by their own deviation within the group (GDPO, arXiv 2601.05242)."""
    spread = rows.groupby("group")[list(names)].transform("std")
    divided = {name: (rows[name] / spread[name].where(spread[name] > DEAD_SPREAD)).fillna(0.0) for name in names}
    return rows.assign(**divided)


def _weights_of(rows: Frame, names: Sequence[str]) -> str:
    """Return the weights of the columns whose sum gives the advantages and follows the reward; empty for none."""
    names = [name for name in names if pd.api.types.is_numeric_dtype(rows[name]) and rows[name].notna().all()]
    centred = (rows[names] - rows.groupby("group")[names].transform("mean")).astype(float)
    names = _independent(centred)
    if len(names) < 2:
        return ""
    advantage = rows["advantage"] - rows.groupby("group")["advantage"].transform("mean")
    terms_RT, advantage_R = centred[names].to_numpy(float), advantage.to_numpy(float)
    groups_R = pd.factorize(rows["group"])[0]
    weights_T = _weights(terms_RT, advantage_R, groups_R)
    total = rows[names].to_numpy(float) @ weights_T
    fits = (_gaps(rows.assign(reward=total), "") <= _TOLERANCE).mean() > 1 - _EXACT
    if not fits or correlation(pd.Series(total, index=rows.index), rows["reward"]) < _SAME_REWARD:
        return ""
    shown = [name.removeprefix(TERM_PREFIX) for name in names]
    told = ", ".join(f"{name} {weight:.2g}" for name, weight in zip(shown, weights_T, strict=True))
    return f"that of a sum with the weights {told}"


def _independent(columns: Frame) -> list[str]:
    """Return the columns that vary and are no sum of those before them; a limited number."""
    found: list[str] = []
    base_RK = np.empty((len(columns), 0))
    for name in columns.columns:
        values_R = columns[name].to_numpy(float)
        size = float(np.linalg.norm(values_R))
        rest_R = values_R - base_RK @ (base_RK.T @ values_R)
        if len(found) < _MAX_SUMMANDS and float(np.linalg.norm(rest_R)) > _TOLERANCE * max(size, 1.0):
            base_RK = np.column_stack([base_RK, rest_R / np.linalg.norm(rest_R)])
            found.append(str(name))
    return found


def _weights(terms_RT: np.ndarray, advantage_R: np.ndarray, groups_R: np.ndarray) -> np.ndarray:
    """Return the weights, the largest 1, whose total is most nearly a multiple of the advantage in each group.

    What of the terms is at right angles to a group's advantages must vanish in their total: a smallest eigenvector.
    """
    norms_G = np.maximum(np.bincount(groups_R, advantage_R**2), 1e-12)
    along_GT = np.stack([np.bincount(groups_R, term * advantage_R) for term in terms_RT.T], axis=1)
    whole_TT = terms_RT.T @ terms_RT
    across_TT = whole_TT - (along_GT / norms_G[:, None]).T @ along_GT
    whole_TT += np.eye(len(whole_TT)) * 1e-9 * np.trace(whole_TT)
    weights_T = scipy.linalg.eigh(across_TT, whole_TT)[1][:, 0]
    weights_T *= np.sign(float(terms_RT @ weights_T @ advantage_R)) or 1.0
    return weights_T / max(float(np.abs(weights_T).max()), 1e-12)


def _is_centred(rows: Frame) -> Frame:
    """Tell which groups' advantages show their estimator: three or more, or two that cancel."""
    by_group = rows.groupby("group")["advantage"]
    scale = by_group.agg(lambda values: float(values.abs().max())).clip(lower=_TOLERANCE)
    return (by_group.size() >= 3) | (by_group.mean().abs() < _TOLERANCE * scale)


def _follows(rows: Frame) -> float:
    """Return the correlation of advantage and reward within steps."""
    means = rows.groupby("step")[["advantage", "reward"]].transform("mean")
    value = correlation(rows["advantage"] - means["advantage"], rows["reward"] - means["reward"])
    return value if math.isfinite(value) else 0.0


def _is_clipped(rows: Frame) -> Frame:
    """Tell which groups rise with the reward except where values stand at an end of the range of all advantages."""
    low, high = float(rows["advantage"].min()), float(rows["advantage"].max())
    at_end = (rows["advantage"] <= low + 1e-9) | (rows["advantage"] >= high - 1e-9)
    has_end = at_end.groupby(rows["group"]).any()
    is_common = _EXACT < at_end.mean() < 1.0
    ordered = rows.sort_values(["group", "reward", "advantage"], kind="stable")
    drop = ordered.groupby("group")["advantage"].diff().fillna(0.0)
    rise = ordered.groupby("group")["reward"].diff().fillna(0.0)
    broken = (drop < -_TOLERANCE) | ((rise.abs() < 1e-9) & (drop.abs() > _TOLERANCE))
    return has_end & is_common & ~broken.groupby(ordered["group"]).any()


def _rounding(values: Frame) -> float:
    """Return how far a centred value may be from the one that was rounded; 0 where nothing was."""
    numbers_R = values.to_numpy(float)
    steps = (10.0**-decimals for decimals in _DECIMALS)
    return next((step for step in steps if (abs(numbers_R / step - np.round(numbers_R / step)) < 1e-4).all()), 0.0)


def _gaps(rows: Frame, normalisation: str) -> Frame:
    """Return by group the largest relative distance of an advantage from the value that its reward implies."""
    by_group = rows.groupby("group")
    reward = rows["reward"] - by_group["reward"].transform("mean")
    advantage = rows["advantage"] - by_group["advantage"].transform("mean")
    groups = rows["group"]
    spread = (reward**2).groupby(groups).transform("mean") ** 0.5
    is_dead = spread < DEAD_SPREAD / 2
    slope = (reward * advantage).groupby(groups).transform("sum") / (reward**2).groupby(groups).transform("sum").where(
        ~is_dead, 1.0
    )
    slope = slope.where(~is_dead, 0.0)
    scale = advantage.abs().groupby(groups).transform("max").clip(lower=_TOLERANCE)
    rounding = _rounding(rows["advantage"]) + slope.abs() * _rounding(rows["reward"])
    gap = ((advantage - slope * reward).abs() - rounding).clip(lower=0.0) / scale
    # A higher reward must have a higher advantage.
    gap = gap.where(is_dead | (slope * spread > _TOLERANCE * scale), 1.0)
    # In a dead group the advantage is a constant, or tiny rewards times a large slope; up to the noise of a division.
    tiny = spread.where(is_dead & (spread > 0), 1.0)
    steep = (reward * advantage).groupby(groups).transform("mean") / tiny**2
    is_scaled = (advantage - steep * reward).abs() <= _TOLERANCE * scale + steep.abs() * _rounding(rows["reward"])
    is_tiny = is_dead & is_scaled & (spread > 0) & (steep > 0)
    gap = gap.where(~(is_dead & (advantage.abs() <= 10 * _TOLERANCE)) & ~is_tiny, 0.0)
    if normalisation in ("group_std", "group_mean"):
        divisor = by_group["reward"].transform("std") + EPSILON if normalisation == "group_std" else 1.0
        gap = pd.concat([gap, (rows["advantage"] - reward / divisor).abs() / scale], axis=1).max(axis=1)
    return gap.groupby(groups).max()
