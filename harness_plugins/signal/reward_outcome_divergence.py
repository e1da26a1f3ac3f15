"""Reward against outcome: does the reward pay for success?

Two signals, each of two parts. Within a group, a wrong attempt with more reward than a right one is an order violation:
a term dominates correctness. Over a run, a shaped reward that rises while correctness does not is reward hacking (rule
engine of EvoTrainer, arXiv 2606.03108). A rise alone, or a flat outcome alone, is no finding.
"""

import math

from evotrainer.diagnosis.context import Context, Diagnosis, graded, known, significantly_above, trend, z_limit
from evotrainer.diagnosis.hookspecs import hookimpl
from evotrainer.evidence.frames import Frame
from evotrainer.records import Finding

_TIE_DECIMALS = 9


@hookimpl
def diagnose(context: Context) -> Diagnosis:
    """Return the order-violation ratio; findings for violations and for a reward that rises without the outcome."""
    rows = context.graded
    rows = rows[rows["reward"].notna() & rows["correct"].isin([0.0, 1.0])]
    pairs = _pairs(rows)
    total = int(pairs["pairs"].sum())
    ratio = float(pairs["violations"].sum()) / total if total else math.nan
    return Diagnosis(known({"order_violation_ratio": ratio}), _violations(context, rows, pairs, ratio) + _rise(context))


def _pairs(rows: Frame) -> Frame:
    """Return by group: pairs of a right and a wrong attempt, and those where the wrong one has more reward."""
    # One row a reward value of a group. A running sum counts the right attempts with less reward than the wrong ones
    # there, so that a group may hold thousands of attempts.
    by_value = rows.assign(reward=rows["reward"].round(_TIE_DECIMALS)).groupby(["group", "reward"], sort=True)[
        "correct"
    ]
    table = by_value.agg(right="sum", size="size")
    table["wrong"] = table["size"] - table["right"]
    by_group = table.groupby("group")
    table["violations"] = table["wrong"] * (by_group["right"].cumsum() - table["right"])
    total = table.groupby("group")[["right", "wrong", "violations"]].sum()
    return total.assign(pairs=total["right"] * total["wrong"])[lambda groups: groups["pairs"] > 0]


def _violations(context: Context, rows: Frame, pairs: Frame, ratio: float) -> list[Finding]:
    limits = context.thresholds
    broken = pairs[pairs["violations"] > 0]
    # Pairs of one group depend on each other: groups are counted for significance, pairs for size.
    if (
        len(pairs) < limits.min_groups
        or ratio <= limits.order_violations_warning
        or not significantly_above(len(broken), len(pairs), limits.order_violations_warning, limits.limit_alpha)
    ):
        return []
    severity = "critical" if ratio > limits.order_violations_critical else "warning"
    message = (
        f"in {ratio:.0%} of pairs within a group (limit {limits.order_violations_warning:.0%}) the wrong attempt has "
        "more reward than the right one: raise the weight of correctness"
    )
    wrong = rows[rows["group"].isin(broken.index) & (rows["correct"] == 0.0)].sort_values(
        "reward", ascending=False, kind="stable"
    )
    numbers = {"order_violation_ratio": ratio, "num_groups": len(pairs), "num_broken_groups": len(broken)}
    limit_names = ("order_violations_warning", "order_violations_critical", "limit_alpha")
    return [context.finding("reward_outcome_divergence", severity, message, numbers, limit_names, wrong)]


def _rise(context: Context) -> list[Finding]:
    limits = context.thresholds
    rows = graded(context.training)
    paid, solved = trend(rows, "reward", limits.min_groups), context.flat_success(rows)
    if paid is None or solved is None:
        return []
    if paid.z < z_limit(limits.alpha) or paid.late - paid.early < limits.divergence * float(rows["reward"].std()):
        return []
    message = (
        f"reward rose from {paid.early:.2f} to {paid.late:.2f} over the run while the solve rate went from "
        f"{solved.early:.2f} to {solved.late:.2f}: the policy learns the shaping terms"
    )
    numbers = {
        "reward_early": paid.early,
        "reward_late": paid.late,
        "reward_z": paid.z,
        "solve_rate_early": solved.early,
        "solve_rate_late": solved.late,
        "solve_rate_z": solved.z,
    }
    late_wrong = rows[(rows["correct"] < 1.0)].sort_values(["step", "reward"], ascending=False, kind="stable")
    limit_names = ("divergence", "outcome_rise", "alpha")
    return [context.finding("reward_outcome_divergence", "critical", message, numbers, limit_names, late_wrong)]
