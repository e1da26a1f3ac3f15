"""Advantages against the rewards that they come from."""

import numpy as np
import pandas as pd

from evotrainer.algorithm.advantages import EPSILON
from evotrainer.algorithm.filters import DEAD_SPREAD
from evotrainer.diagnosis.context import Context, Diagnosis, graded, group_table, known, of_groups
from evotrainer.diagnosis.hookspecs import hookimpl
from evotrainer.evidence.frames import Frame

_TOLERANCE = 1e-3
_DECIMALS = (3, 4, 5, 6)
"""Decimals to which files round numbers; fewer are no rounding but numbers of their own."""


@hookimpl
def advantage_mismatch(context: Context) -> Diagnosis:
    """Return the share of groups whose advantage does not follow from the reward; critical above 1%.

    Advantage mismatch: the advantage that training used is not a function of the reward.

    A field that overwrites the advantage (a penalty, a stale tensor) breaks training silently. The check recomputes it
    group by group. Every usual normalisation (group mean and deviation, mean alone, batch deviation, leave-one-out) is
    an increasing affine function of the reward within a group. So equal rewards must have equal advantages, a higher
    reward a higher one, and three must lie on a line.

    Stored numbers may be rounded; what rounding alone explains is no distance.

    With a recipe that normalises within the group, the values themselves must agree. Rows that are not in the loss are
    left out: their advantage is 0 by definition.
    """
    rows = graded(context.training)
    rows = rows[rows["advantage"].notna() & rows["reward"].notna() & (rows["in_loss"] != 0.0)]
    rows = rows[rows.groupby("group")["group"].transform("size") >= 2]
    if rows.empty:
        return Diagnosis()
    gaps = _gaps(rows, context.training_recipe.algorithm.advantage if context.training_recipe else "")
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


@hookimpl
def phantom_advantage(context: Context) -> Diagnosis:
    """Return the share of phantom advantage; warn above 20%, critical above 50%.

    Phantom advantage: |advantage| from groups whose outcome is constant.

    There an auxiliary term alone decides what is reinforced: the policy learns style on problems that it always or
    never solves. The advantage is the stored one where training used the rows, else the group-normalised reward. A
    known trap of EvoTrainer (arXiv 2606.03108).
    """
    rows = context.training if context.training["advantage"].notna().any() else context.rows
    table = group_table(rows)
    table = table[table["is_decided"] | table["is_mixed"]]
    mass = _mass(rows, table)
    if mass.sum() <= 0:
        return Diagnosis()
    phantom = mass[table["is_decided"] & (mass > DEAD_SPREAD)]
    share = float(phantom.sum() / mass.sum())
    limits, total = context.thresholds, int((mass > DEAD_SPREAD).sum())
    findings = []
    is_many = total >= limits.min_groups and share > limits.phantom_advantage_warning
    if is_many:
        what = "the advantage" if rows["advantage"].notna().any() else "what rewards stand off their group's mean"
        message = (
            f"{share:.0%} of {what} (limit {limits.phantom_advantage_warning:.0%}) comes from {len(phantom)} "
            "groups of one outcome: filter such groups or lower the auxiliary terms"
        )
        severity = "critical" if share > limits.phantom_advantage_critical else "warning"
        examples = of_groups(rows, table.loc[phantom.sort_values(ascending=False, kind="stable").index])
        numbers = {"phantom_advantage": share, "num_phantom_groups": len(phantom), "num_live_groups": total}
        limit_names = ("phantom_advantage_warning", "phantom_advantage_critical", "min_groups")
        findings.append(context.finding("phantom_advantage", severity, message, numbers, limit_names, examples))
    return Diagnosis(known({"phantom_advantage": share}), findings)


def _mass(rows: Frame, table: Frame) -> Frame:
    """Return the summed |advantage| of each group of the table."""
    counted = graded(rows)
    counted = counted[counted["group"].isin(table.index)]
    groups = counted["group"]
    derived = (counted["reward"] - groups.map(table["reward_mean"])) / (groups.map(table["reward_std"]) + EPSILON)
    advantage = counted["advantage"].where(counted["advantage"].notna(), derived)
    return advantage.abs().groupby(groups).sum().reindex(table.index, fill_value=0.0)
