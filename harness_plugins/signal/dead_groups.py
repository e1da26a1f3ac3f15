"""Dead groups: groups whose rewards are equal give a group-normalised estimator no gradient.

dead_group_ratio is the share of groups with reward std < 1e-3. dead_group_expected is the share that the solve rate p
alone predicts, mean of p^G + (1-p)^G, if all problems were equally hard. The excess comes from problems that are all
too easy or too hard, from attempts that repeat each other, or from a reward that ignores the outcome. The last is a
finding of its own: groups whose outcomes differ while their rewards do not. Limits: base metrics of EvoTrainer (arXiv
2606.03108). Of an evaluation alone, which feeds no gradient, the metrics are given and no finding.
"""

import math

from evotrainer.algorithm.filters import DEAD_SPREAD
from evotrainer.diagnosis.context import Context, Diagnosis, group_table, known, of_groups, significantly_above
from evotrainer.diagnosis.hookspecs import hookimpl
from evotrainer.domains.problem_sets.overlap import HELD
from evotrainer.evidence.frames import Frame
from evotrainer.records import Finding

_ABOVE = (0.15, 0.3)
"""Beyond the share of dead groups that small groups cannot avoid: a warning, critical."""


@hookimpl
def diagnose(context: Context) -> Diagnosis:
    """Return the dead-group ratio and its parts; warn above 30%, critical above 50%."""
    table = group_table(context.rows)
    if table.empty:
        return Diagnosis()
    num_known = table["num_known"].sum()
    solve_rate = (table["correct_mean"] * table["num_known"]).sum() / num_known if num_known else math.nan
    is_settled = table["is_dead"] & table["is_decided"]
    metrics = known(
        {
            "dead_group_ratio": table["is_dead"].mean(),
            "usable_groups": 1.0 - table["is_dead"].mean(),
            "dead_group_expected": (solve_rate ** table["size"] + (1 - solve_rate) ** table["size"]).mean(),
            "dead_all_correct": (is_settled & (table["correct_mean"] >= 1)).mean(),
            "dead_all_wrong": (is_settled & (table["correct_mean"] <= 0)).mean(),
            "blind_groups": (table["is_dead"] & table["is_mixed"]).mean(),
        }
    )
    if context.rows["split"].isin(HELD).all():
        return Diagnosis(metrics)
    return Diagnosis(metrics, _dead(context, table, metrics) + _blind(context, table))


def _dead(context: Context, table: Frame, metrics: dict[str, float]) -> list[Finding]:
    limits, count, total = context.thresholds, int(table["is_dead"].sum()), len(table)
    warning, critical = _limits(context, table)
    if total < limits.min_groups or not significantly_above(count, total, warning, limits.limit_alpha):
        return []
    is_critical = significantly_above(count, total, critical, limits.limit_alpha)
    expected = metrics.get("dead_group_expected")
    beside = f"; the solve rate alone predicts {expected:.0%}" if expected is not None else ""
    where = f"{metrics['dead_all_correct']:.0%} all right, {metrics['dead_all_wrong']:.0%} all wrong{beside}"
    if not table["num_known"].any():
        means, rewards = table.loc[table["is_dead"], "reward_mean"], context.graded["reward"]
        ends = [float((abs(means - end) < DEAD_SPREAD).sum() / total) for end in (rewards.max(), rewards.min())]
        where = f"{ends[0]:.0%} all with the greatest reward, {ends[1]:.0%} all with the least"
        if rewards.nunique() == 1:
            where = f"every attempt of the run has the reward {rewards.iloc[0]:g}"
    message = (
        f"{count} of {total} groups have no reward spread, limit {limits.dead_groups_warning:.0%} "
        f"({where}): "
        "choose problems of medium difficulty or a finer reward"
    )
    dead = of_groups(context.rows, table[table["is_dead"]]).drop_duplicates("group")
    numbers = {**metrics, "num_groups": total}
    limit_names = ("dead_groups_warning", "dead_groups_critical", "min_groups", "limit_alpha")
    return [
        context.finding("dead_groups", "critical" if is_critical else "warning", message, numbers, limit_names, dead)
    ]


def _limits(context: Context, table: Frame) -> tuple[float, float]:
    """Return both limits; groups of two or three attempts, in rows without a recipe, are often dead at the best rate.

    Of a binary reward at least 2^(1-G) of the groups are dead, and more where problems differ.
    """
    limits = context.thresholds
    least = 0.0 if context.recipe is not None else float((2.0 ** (1 - table["size"])).mean())
    return max(limits.dead_groups_warning, least + _ABOVE[0]), max(limits.dead_groups_critical, least + _ABOVE[1])


def _blind(context: Context, table: Frame) -> list[Finding]:
    limits = context.thresholds
    mixed = table[table["is_mixed"]]
    blind = mixed[mixed["is_dead"]]
    if not significantly_above(len(blind), len(mixed), limits.blind_groups, limits.limit_alpha):
        return []
    message = (
        f"in {len(blind)} of {len(mixed)} groups right and wrong attempts got the same reward: "
        "give correctness a weight in the reward"
    )
    numbers = {"blind_share_of_mixed": len(blind) / len(mixed), "num_mixed_groups": len(mixed)}
    return [
        context.finding(
            "dead_groups", "critical", message, numbers, ("blind_groups", "limit_alpha"), of_groups(context.rows, blind)
        )
    ]
