"""Phantom advantage: |advantage| from groups whose outcome is constant.

There an auxiliary term alone decides what is reinforced: the policy learns style on problems that it always or never
solves. The advantage is the stored one
where training used the rows, else the group-normalised reward. A known trap of EvoTrainer (arXiv 2606.03108).
"""

from evotrainer.algorithm.advantages import EPSILON
from evotrainer.algorithm.filters import DEAD_SPREAD
from evotrainer.diagnosis.context import Context, Diagnosis, graded, group_table, known, of_groups
from evotrainer.diagnosis.hookspecs import hookimpl
from evotrainer.evidence.frames import Frame


@hookimpl
def diagnose(context: Context) -> Diagnosis:
    """Return the share of phantom advantage; warn above 20%, critical above 50%."""
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
