"""Advantages that are standardised in their group, and moved once more by what other groups did.

Whoever divides by the deviation of a group has taken its mean off too. If the advantages of all groups still have one
and the same mean, other than 0, a second mean was subtracted behind: over turns or tokens, which long attempts fill.
Groups without any spread then have an advantage, and attempts as good as their group are pushed the same way.

A mean over attempts is 0 by then and moves nothing. Rewards that are whitened over a batch alone have another mean in
each group. An estimator that takes the group's mean off may divide by the deviation of the batch, and whiten over
tokens by design. So groups must be seen to be divided by their own. Groups of several draws, penalties and critics
leave no common mean. A move that is mostly small, or one in a few steps, is not judged.
"""

from typing import NamedTuple

import numpy as np

from evotrainer.algorithm.filters import DEAD_SPREAD
from evotrainer.diagnosis.context import Context, Diagnosis, graded
from evotrainer.diagnosis.hookspecs import hookimpl
from evotrainer.evidence.frames import Frame

NEEDS = {"advantage_mismatch": ("advantage", "reward", "group", "step")}

_SAME = 0.01
"""Relative distance up to which two numbers are one; files round to fewer digits than trainers compute with."""
_MOVED = 0.03
"""Mean of all groups, as a share of the advantages' deviation in a step, from which it moves what is learned."""
_MIN_STEPS, _MIN_GROUPS, _MOSTLY = 3, 3, 0.9
_APART = 1.1
"""How far the deviations of a step's groups must be apart to tell whose deviation divides."""


class _Step(NamedTuple):
    """What the groups of a step have in common."""

    step: int
    moved: float
    """Their mean, as a share of the advantages' deviation."""
    num_dead: int
    """Groups without any spread."""
    is_twice: bool


@hookimpl
def diagnose(context: Context) -> Diagnosis:
    """Warn where groups are standardised, and all have one mean that is not 0."""
    rows = graded(context.training)
    rows = rows[rows["advantage"].notna() & rows["reward"].notna() & (rows["in_loss"] != 0.0)]
    if rows.empty or context.training_recipe is not None:
        return Diagnosis()
    groups = _groups(rows)
    spread = rows.groupby("step")["advantage"].std()
    told = [_judged(int(step), part, float(spread[step])) for step, part in groups.groupby("step")]
    told = [one for one in told if one is not None]
    twice = [one for one in told if one.is_twice]
    if len(twice) < max(_MIN_STEPS, _MOSTLY * len(told)) or len(groups) < context.thresholds.min_groups:
        return Diagnosis()
    moved, num_dead = float(np.median([abs(one.moved) for one in twice])), sum(one.num_dead for one in twice)
    if moved < _MOVED:
        return Diagnosis()
    found = rows[rows["step"].isin([one.step for one in twice])]
    message = (
        f"in {len(twice)} of {len(told)} steps advantages are divided by the deviation of their group, and all groups "
        f"have one mean, mostly {moved:.2f} deviations off 0{_filled(found)}: {num_dead} groups of equal rewards have "
        "an advantage; standardise once, or take no second mean off"
    )
    numbers = {"steps": len(twice), "moved": moved, "dead_groups": num_dead}
    finding = context.finding("advantage_mismatch", "warning", message, numbers, ("min_groups",), found)
    return Diagnosis(findings=[finding])


def _groups(rows: Frame) -> Frame:
    """Return step, mean of advantages, deviation of rewards and of advantages, and what lies off the line, by group."""
    by_group = rows.groupby("group")
    centred = by_group[["reward", "advantage"]].transform("mean").rsub(rows[["reward", "advantage"]])
    parts = centred.assign(group=rows["group"], product=centred["reward"] * centred["advantage"])
    squares = (parts[["reward", "advantage"]] ** 2).groupby(parts["group"]).mean()
    product = parts.groupby("group")["product"].mean()
    slope = product / squares["reward"].where(squares["reward"] > DEAD_SPREAD**2)
    # A constant reward has no line: all of the advantage's spread lies off it.
    off = squares["advantage"] - (slope * product).fillna(0.0)
    table: Frame = by_group.agg(step=("step", "first"), size=("step", "size"), mean=("advantage", "mean"))
    return table.assign(reward=squares["reward"] ** 0.5, slope=slope, off=off.clip(lower=0.0) ** 0.5).query("size >= 2")


def _judged(step: int, groups: Frame, spread: float) -> _Step | None:
    """Return what a step's groups have in common; None where they cannot tell."""
    live = groups[groups["slope"].notna()]
    if len(groups) < _MIN_GROUPS or len(live) < 2 or not spread > 0:
        return None
    if live["reward"].max() < _APART * live["reward"].min():
        return None
    moved, divided = float(groups["mean"].median()) / spread, live["slope"] * live["reward"]
    is_one_mean = (groups["mean"] / spread - moved).abs() <= _SAME * max(abs(moved), _MOVED)
    is_own = (divided - divided.median()).abs() <= _SAME * abs(divided.median())
    on_line = groups["off"] <= _SAME * spread
    is_twice = bool(is_one_mean.all() and is_own.all() and on_line.all())
    return _Step(step, moved, int(groups["slope"].isna().sum()), is_twice)


def _filled(rows: Frame) -> str:
    """Return by what attempts count in the second mean, where a column of them tells it."""
    for name, what in (("num_turns", "turns"), ("num_tokens", "tokens")):
        weights = rows[name].astype(float)
        if not (weights > 0).all() or weights.nunique() < 2:
            continue
        total = (rows["advantage"] * weights).groupby(rows["step"]).sum()
        size = (rows["advantage"].abs() * weights).groupby(rows["step"]).sum()
        if (total.abs() <= _SAME * size).mean() >= _MOSTLY:
            return f" (it is 0 over {what})"
    return ""
