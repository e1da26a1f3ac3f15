"""Baselines of others: of other groups in some steps, or of one attempt for its whole group.

1. An advantage relative to its group has a mean of 0 there, one whitened over the batch or of a critic has it nowhere.
   A run in which most groups have it in some steps and most groups lack it in others subtracts the mean of other
   attempts there: rows changed their order between rewards and advantages. Groups that lost attempts are left out.
2. The attempt at one place has an advantage of 0 in all groups, whatever its reward, and no other place has: its reward
   is what is subtracted. A greedy attempt may be meant as a baseline, so this is a warning.
"""

from evotrainer.diagnosis.context import Context, Diagnosis, graded
from evotrainer.diagnosis.hookspecs import hookimpl
from evotrainer.evidence.frames import Frame
from evotrainer.records import Finding

NEEDS = {"advantage_mismatch": ("advantage", "reward", "group", "step")}

_CENTRED, _ASKEW = 0.02, 0.1
"""Mean of a group's advantages, as a share of the largest, up to which it is 0, and from which it is not."""
_MOSTLY, _OFTEN = 0.9, 0.5
_MIN_STEPS, _MIN_GROUPS = 2, 3
_ALL, _SOME, _MIN_PLACED, _NIL = 0.95, 0.8, 12, 1e-6
"""Shares of groups whose advantage is 0 at one place, and at others; fewest groups; and what is 0."""


@hookimpl
def diagnose(context: Context) -> Diagnosis:
    """Return a finding where groups are centred in some steps, and not in others, or about one attempt."""
    rows = graded(context.training)
    rows = rows[rows["advantage"].notna() & rows["reward"].notna() & (rows["in_loss"] != 0.0)]
    if rows.empty or context.training_recipe is not None:
        return Diagnosis()
    size = rows.groupby("group")["group"].transform("size")
    rows = rows[size == size.mode().iloc[0]]
    by_group = rows.assign(_size=rows["advantage"].abs()).groupby("group")
    groups = by_group.agg(
        mean=("advantage", "mean"),
        largest=("_size", "max"),
        step=("step", "first"),
        size=("step", "size"),
        spread=("reward", lambda reward: reward.max() - reward.min()),
    )
    # Where all have one reward, what stands off 0 is rounding.
    live = groups[(groups["largest"] > _NIL) & (groups["size"] >= 2) & (groups["spread"] > _NIL)]
    off = live["mean"].abs() / live["largest"]
    steps = off.groupby(live["step"]).agg(
        centred=lambda values: (values <= _CENTRED).mean(), askew=lambda values: (values >= _ASKEW).mean(), count="size"
    )
    steps = steps[steps["count"] >= _MIN_GROUPS]
    sound, wrong = steps[steps["centred"] >= _MOSTLY], steps[steps["askew"] >= _OFTEN]
    if min(len(sound), len(wrong)) < _MIN_STEPS:
        return Diagnosis(findings=_about_one(context, rows))
    found = rows[rows["step"].isin(wrong.index)]
    message = (
        f"in {len(sound)} steps the advantages of a group have a mean of 0, and in {len(wrong)}, first in step "
        f"{wrong.index.min():g}, most groups' have not: the mean of other attempts is subtracted there, see whether "
        "rows change their order between rewards and advantages"
    )
    numbers = {"centred_steps": len(sound), "other_steps": len(wrong)}
    return Diagnosis(findings=[context.finding("advantage_mismatch", "critical", message, numbers, (), found)])


def _about_one(context: Context, rows: Frame) -> list[Finding]:
    """Find a place in groups of unequal rewards where the advantage is always 0, though its reward is not the mean."""
    group = rows.groupby("group")["reward"]
    spread, off = group.transform("max") - group.transform("min"), (rows["reward"] - group.transform("mean")).abs()
    live = rows.assign(_place=_places(rows), _off=off, _nil=rows["advantage"].abs() < _NIL)
    live = live[spread > _CENTRED]
    share = live.groupby("_place")["_nil"].mean()
    if live["group"].nunique() < _MIN_PLACED or (share >= _ALL).sum() != 1:
        return []
    place, others = int(share.idxmax()), share.drop(share.idxmax())
    found = live[(live["_place"] == place) & (live["_off"] > _CENTRED)]
    if len(found) < _MIN_PLACED or others.mean() > _SOME:
        return []
    message = (
        f"attempt {place + 1} of each group has an advantage of 0 in {share[place]:.0%} of {live['group'].nunique()} "
        f"groups of unequal rewards, others in {others.mean():.0%}: its reward is the baseline, subtract the mean of "
        "the group where that was meant"
    )
    numbers = {"place": place + 1, "share": float(share[place]), "groups": len(found)}
    return [context.finding("advantage_mismatch", "warning", message, numbers, (), found)]


def _places(rows: Frame) -> Frame:
    """Return the place of each attempt in its group: as rows say, else by their order."""
    if "attempt" in rows and (rows.groupby("group")["attempt"].nunique() == rows.groupby("group").size()).all():
        return rows["attempt"]
    return rows.groupby("group").cumcount()
