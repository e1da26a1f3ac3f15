"""Advantages of one side alone: attempts below their group's mean have exactly none, those above it have the group's.

A clamp, or a mask by sign, takes one side away, and what is worse than its group is never made less likely. The other
side must be what an estimator of groups gives: the distance from the group's mean, as it is or by the group's standard
deviation. Rewards that are used as advantages have no other side either, and are no finding here. Learning from the
better side alone is a method too, so this is a warning. So it is where advantages below 0 are computed, and a mask
leaves all of them out of the loss.
"""

import numpy as np

from evotrainer.diagnosis.context import Context, Diagnosis, graded
from evotrainer.diagnosis.hookspecs import hookimpl
from evotrainer.evidence.frames import Frame
from evotrainer.records import Finding

NEEDS = {"one_sided_loss": ("advantage", "reward", "group")}

_NIL, _ALL, _HARDLY = 1e-6, 0.98, 0.02
_ALIKE, _USUAL = 0.05, 0.9
"""Distance of ratios from their median, as a share of it, and the share of ratios that are as near."""


@hookimpl
def diagnose(context: Context) -> Diagnosis:
    """Warn where one side of all groups has no advantage."""
    rows = graded(context.training)
    found = _masked(context, rows)
    if found:
        return Diagnosis(findings=found)
    rows = rows[rows["advantage"].notna() & rows["reward"].notna() & (rows["in_loss"] != 0.0)]
    if rows.empty:
        return Diagnosis()
    reward = rows.groupby("group")["reward"]
    rows = rows.assign(
        _off=rows["reward"] - reward.transform("mean"), _std=reward.transform(lambda one: one.std(ddof=0))
    )
    live = rows[rows["_off"].abs() > _NIL]
    if live["group"].nunique() < context.thresholds.min_groups:
        return Diagnosis()
    sides = {"below": live[live["_off"] < 0], "above": live[live["_off"] > 0]}
    for gone, kept in (("below", "above"), ("above", "below")):
        is_nil = [float((sides[side]["advantage"].abs() < _NIL).mean()) for side in (gone, kept)]
        if is_nil[0] < _ALL or is_nil[1] > _HARDLY or not _is_of_groups(sides[kept]):
            continue
        message = (
            f"all {len(sides[gone])} attempts {gone} their group's mean have an advantage of 0, those {kept} it have "
            "that of their group: half of each comparison is lost, look for a clamp or a mask by sign"
        )
        numbers = {"attempts": len(sides[gone]), "groups": live["group"].nunique()}
        return Diagnosis(
            findings=[context.finding("one_sided_loss", "warning", message, numbers, ("min_groups",), sides[gone])]
        )
    return Diagnosis()


def _masked(context: Context, rows: Frame) -> list[Finding]:
    """Find a mask that leaves out all that has an advantage below 0, and nothing else."""
    rows = rows[rows["advantage"].notna() & rows["in_loss"].notna()]
    below, above = rows[rows["advantage"] < -_NIL], rows[rows["advantage"] > _NIL]
    if min(len(below), len(above)) < context.thresholds.min_rows or (below["in_loss"] != 0.0).any():
        return []
    if (above["in_loss"] == 0.0).mean() > _HARDLY:
        return []
    message = (
        f"all {len(below)} attempts with an advantage below 0 are left out of the loss, and those above 0 are in it: "
        "half of each comparison is lost, see whether the mask was meant"
    )
    numbers = {"attempts": len(below), "kept": len(above)}
    return [context.finding("one_sided_loss", "warning", message, numbers, ("min_rows",), below)]


def _is_of_groups(rows: Frame) -> bool:
    """Tell whether advantages are distances from the group's mean, up to a factor, and no multiples of the reward."""
    advantage, off = rows["advantage"].to_numpy(), rows["_off"].to_numpy()
    scaled = off / np.maximum(rows["_std"].to_numpy(), _NIL)
    reward = np.where(rows["reward"].abs() > _NIL, rows["reward"], np.nan)
    return (_are_alike(advantage / off) or _are_alike(advantage / scaled)) and not _are_alike(advantage / reward)


def _are_alike(ratios: np.ndarray) -> bool:
    middle = float(np.nanmedian(ratios)) if np.isfinite(ratios).any() else 0.0
    return middle > 0 and float((np.abs(ratios - middle) <= _ALIKE * middle).mean()) >= _USUAL
