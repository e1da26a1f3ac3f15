"""Baselines of neighbours: what is subtracted from the rewards of a group is the mean reward of another group.

Within a group, advantages lie on a line over the rewards, whatever they are divided by. The reward at which this line
is 0 is the baseline. It is compared with the mean of each group a fixed number of places away, in the order of the
file: within the step, all around, or across steps. Where nearly all baselines are such means, and few are the mean of
their own group, rewards were reshaped or a result kept one group too long.

Baselines of a batch, moving averages, and means of earlier epochs meet the mean of some neighbour by chance. They do so
at any distance, so one distance has to stand out. Critics give no line, and leave-one-out means have their own group's.
"""

from collections.abc import Iterator

import numpy as np
import pandas as pd

from evotrainer.diagnosis.context import Context, Diagnosis, graded, significantly_above
from evotrainer.diagnosis.hookspecs import hookimpl
from evotrainer.evidence.frames import Frame

NEEDS = {"advantage_mismatch": ("advantage", "reward", "group", "step")}

_NEAR, _LINE = 2e-3, 5e-3
"""Distances of a baseline from a mean, in ranges of the reward, and of advantages from their line, in their spread."""
_MIN_GROUPS, _ALL, _OWN, _APART = 16, 0.95, 0.5, 0.25
"""Fewest groups that tell; shares with the neighbour's mean and with their own; lead of one distance on others."""
_MOST_PLACES = 64


@hookimpl
def diagnose(context: Context) -> Diagnosis:
    """Warn where nearly all groups subtract the mean of the group at one distance."""
    rows = graded(context.training)
    rows = rows[rows["advantage"].notna() & rows["reward"].notna() & (rows["in_loss"] != 0.0)]
    if rows.empty or context.training_recipe is not None:
        return Diagnosis()
    groups = _groups(rows)
    live = groups["baseline"].notna()
    span = float(rows["reward"].max() - rows["reward"].min())
    if live.sum() < _MIN_GROUPS or _share(groups, groups["mean"], span) > _OWN:
        return Diagnosis()
    shares = {key: _share(groups, means, span) for key, means in _neighbours(groups)}
    if len(shares) < 3:
        return Diagnosis()
    best = max(shares, key=lambda key: shares[key])
    chance = float(np.median([share for key, share in shares.items() if key[1] != best[1]] or [1.0]))
    count, total = round(shares[best] * live.sum()), int(live.sum())
    if shares[best] < _ALL or shares[best] - chance < _APART:
        return Diagnosis()
    if not significantly_above(count, total, chance, context.thresholds.alpha):
        return Diagnosis()
    place, where = best[1], "of the step" if best[0] else "of the file"
    own = _share(groups, groups["mean"], span)
    message = (
        f"in {shares[best]:.0%} of {total} groups of unequal rewards the advantages are rewards less the mean of the "
        f"group {abs(place)} {'behind' if place > 0 else 'before'} in the order {where}, in {own:.0%} less their own "
        "mean: see how rewards are reshaped into groups"
    )
    numbers = {"share": shares[best], "own": own, "chance": chance, "groups": total}
    found = rows[rows["group"].isin(groups.index[live])]
    return Diagnosis(findings=[context.finding("advantage_mismatch", "warning", message, numbers, ("alpha",), found)])


def _groups(rows: Frame) -> Frame:
    """Return by group, in the order of rows within steps: step, mean reward, and the baseline; NaN where none shows."""
    by_group = rows.groupby("group", sort=False)
    reward = rows["reward"] - by_group["reward"].transform("mean")
    advantage = rows["advantage"] - by_group["advantage"].transform("mean")
    table: Frame = pd.DataFrame(
        {"up": reward * advantage, "across": reward**2, "whole": advantage**2, "group": rows["group"]}
    )
    sums: Frame = table.groupby("group", sort=False).sum()
    means = by_group.agg(step=("step", "first"), mean=("reward", "mean"), advantage=("advantage", "mean"))
    has_slope = (sums["across"] > 1e-12) & (sums["up"] > 1e-12)
    slope = (sums["up"] / sums["across"]).where(has_slope)
    off = (sums["whole"] - slope * sums["up"]).clip(lower=0.0) / sums["whole"]
    means["baseline"] = (means["mean"] - means["advantage"] / slope).where(off <= _LINE**2)
    return means.sort_values("step", kind="stable")


def _neighbours(groups: Frame) -> Iterator[tuple[tuple[bool, int], Frame]]:
    """Yield ((whether around the step, places), means of the groups that stand so many places on)."""
    size = int(groups.groupby("step").size().max())
    places = min(size, _MOST_PLACES)
    for place in [one for one in range(-places, places + 1) if one]:
        yield (False, place), groups["mean"].shift(-place)
    number, count = groups.groupby("step").cumcount(), groups.groupby("step")["step"].transform("size")
    start: Frame = pd.Series(np.arange(len(groups)), index=groups.index) - number
    for place in range(1, min(size, _MOST_PLACES)):
        around = place if place <= size // 2 else place - size
        yield (True, around), groups["mean"].iloc[start + (number + around) % count].set_axis(groups.index)


def _share(groups: Frame, means: Frame, span: float) -> float:
    """Return the share of baselines that are these means, of the groups that have both."""
    both = groups["baseline"].notna() & means.notna()
    return float((groups["baseline"] - means)[both].abs().le(_NEAR * span).mean()) if both.any() else 0.0
