"""Advantage mismatch: the advantage that training used is not a function of the reward.

A field that overwrites the advantage (a penalty, a stale tensor) breaks training silently. The check recomputes it
group by group. Every usual normalisation (group mean and deviation, mean alone, batch deviation, leave-one-out) is an
increasing affine function of the reward within a group. So equal rewards must have equal advantages, a higher reward a
higher one, and three must lie on a line.

With a recipe that normalises within the group, the values themselves must agree. Rows that are not in the loss are left
out: their advantage is 0 by definition.
"""

import pandas as pd

from evotrainer.algorithm.advantages import EPSILON
from evotrainer.algorithm.filters import DEAD_SPREAD
from evotrainer.diagnosis.context import Context, Diagnosis, graded, known, of_groups
from evotrainer.diagnosis.hookspecs import hookimpl
from evotrainer.evidence.frames import Frame

NEEDS = {"advantage_mismatch": ("advantage", "reward", "group")}

_TOLERANCE = 1e-3


@hookimpl
def diagnose(context: Context) -> Diagnosis:
    """Return the share of groups whose advantage does not follow from the reward; critical above 1%."""
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
    gap = (advantage - slope * reward).abs() / scale
    # A higher reward must have a higher advantage.
    gap = gap.where(is_dead | (slope * spread > _TOLERANCE), 1.0)
    # In a dead group the advantage is a constant, up to the noise of a division by a tiny deviation.
    gap = gap.where(~is_dead | (advantage.abs() > 10 * _TOLERANCE), 0.0)
    if normalisation in ("group_std", "group_mean"):
        divisor = by_group["reward"].transform("std") + EPSILON if normalisation == "group_std" else 1.0
        gap = pd.concat([gap, (rows["advantage"] - reward / divisor).abs() / scale], axis=1).max(axis=1)
    return gap.groupby(groups).max()
