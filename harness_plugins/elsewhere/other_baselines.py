"""Baselines of other groups: in some steps advantages have a mean of 0 in each group, in others they do not.

An advantage relative to its group has that mean, one whitened over the batch or of a critic has it nowhere. A run in
which most groups have it in some steps and most groups lack it in others subtracts the mean of other attempts there:
rows changed their order between rewards and advantages. Groups that lost attempts are left out.
"""

from evotrainer.diagnosis.context import Context, Diagnosis, graded
from evotrainer.diagnosis.hookspecs import hookimpl

NEEDS = {"advantage_mismatch": ("advantage", "reward", "group", "step")}

_CENTRED, _ASKEW = 0.02, 0.1
"""Mean of a group's advantages, as a share of the largest, up to which it is 0, and from which it is not."""
_MOSTLY, _OFTEN = 0.9, 0.5
_MIN_STEPS, _MIN_GROUPS = 2, 3


@hookimpl
def diagnose(context: Context) -> Diagnosis:
    """Return a finding where groups are centred in some steps, and not in others."""
    rows = graded(context.training)
    rows = rows[rows["advantage"].notna() & rows["reward"].notna() & (rows["in_loss"] != 0.0)]
    if rows.empty or context.training_recipe is not None:
        return Diagnosis()
    size = rows.groupby("group")["group"].transform("size")
    rows = rows[size == size.mode().iloc[0]]
    by_group = rows.assign(_size=rows["advantage"].abs()).groupby("group")
    groups = by_group.agg(
        mean=("advantage", "mean"), largest=("_size", "max"), step=("step", "first"), size=("step", "size")
    )
    live = groups[(groups["largest"] > 0) & (groups["size"] >= 2)]
    off = live["mean"].abs() / live["largest"]
    steps = off.groupby(live["step"]).agg(
        centred=lambda values: (values <= _CENTRED).mean(), askew=lambda values: (values >= _ASKEW).mean(), count="size"
    )
    steps = steps[steps["count"] >= _MIN_GROUPS]
    sound, wrong = steps[steps["centred"] >= _MOSTLY], steps[steps["askew"] >= _OFTEN]
    if min(len(sound), len(wrong)) < _MIN_STEPS:
        return Diagnosis()
    found = rows[rows["step"].isin(wrong.index)]
    message = (
        f"in {len(sound)} steps the advantages of a group have a mean of 0, and in {len(wrong)}, first in step "
        f"{wrong.index.min():g}, most groups' have not: the mean of other attempts is subtracted there, see whether "
        "rows change their order between rewards and advantages"
    )
    numbers = {"centred_steps": len(sound), "other_steps": len(wrong)}
    return Diagnosis(findings=[context.finding("advantage_mismatch", "critical", message, numbers, (), found)])
