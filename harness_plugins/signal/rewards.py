"""Rewards and advantages: groups without a signal, terms that say nothing, pay that does not follow the outcome."""

import math

import pandas as pd

from evotrainer.algorithm.advantages import EPSILON
from evotrainer.algorithm.filters import DEAD_SPREAD
from evotrainer.algorithm.rewards import combine
from evotrainer.diagnosis.context import Context, Diagnosis, graded, group_table, known, of_groups
from evotrainer.diagnosis.hookspecs import hookimpl
from evotrainer.diagnosis.rules import rises_alone
from evotrainer.diagnosis.thresholds import LIMITS
from evotrainer.diagnosis.trends import significantly_above, t_limit
from evotrainer.evidence.frames import Frame
from evotrainer.evidence.schema import TERM_PREFIX
from evotrainer.records import Finding, Severity
from evotrainer.records.base import HELD


@hookimpl
def dead_groups(context: Context) -> Diagnosis:
    """Return the dead-group ratio and its parts; warn above 30%, critical above 50%.

    Groups whose rewards are equal give a group-normalised estimator no gradient. dead_group_expected is the share that
    the solve rate p alone predicts, mean of p^G + (1-p)^G, if all problems were equally hard. The excess comes from
    problems that are all too easy or too hard, from attempts that repeat each other, or from a reward that ignores the
    outcome. The last is critical of its own: groups whose outcomes differ while their rewards do not. Limits: base
    metrics of EvoTrainer (arXiv 2606.03108). Of an evaluation alone, which feeds no gradient, only metrics are given.
    """
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
    count, total = int(table["is_dead"].sum()), len(table)
    alpha = LIMITS.limit_alpha
    if total < LIMITS.min_groups or not significantly_above(count, total, LIMITS.dead_groups_warning, alpha):
        return []
    is_critical = significantly_above(count, total, LIMITS.dead_groups_critical, alpha)
    message = (
        f"{count} of {total} groups have no reward spread, limit {LIMITS.dead_groups_warning:.0%} "
        f"({metrics['dead_all_correct']:.0%} all right, {metrics['dead_all_wrong']:.0%} all wrong; the solve rate "
        f"alone predicts {metrics.get('dead_group_expected', 0.0):.0%}): choose problems of medium difficulty or a "
        "finer reward"
    )
    dead = of_groups(context.rows, table[table["is_dead"]]).drop_duplicates("group")
    severity: Severity = "critical" if is_critical else "warning"
    return [context.finding("dead_groups", severity, message, {**metrics, "num_groups": total}, dead)]


def _blind(context: Context, table: Frame) -> list[Finding]:
    mixed = table[table["is_mixed"]]
    blind = mixed[mixed["is_dead"]]
    if not significantly_above(len(blind), len(mixed), LIMITS.blind_groups, LIMITS.limit_alpha):
        return []
    message = (
        f"in {len(blind)} of {len(mixed)} groups right and wrong attempts got the same reward: give correctness a "
        "weight in the reward"
    )
    numbers = {"blind_share_of_mixed": len(blind) / len(mixed), "num_mixed_groups": len(mixed)}
    return [context.finding("dead_groups", "critical", message, numbers, of_groups(context.rows, blind))]


@hookimpl
def reward_spread(context: Context) -> Diagnosis:
    """Return the spread of rewards and terms; warn where the spread is significantly below the limit.

    It is the mean over groups of the in-group standard deviation of the reward. Below 0.05 (base metrics of EvoTrainer,
    arXiv 2606.03108) the advantage is mostly noise. An evaluation alone is not judged.
    """
    table, rows = group_table(context.rows), context.graded
    terms = [name for name in rows.columns if name.startswith(TERM_PREFIX)]
    metrics = {f"{term}_mean": rows[term].mean() for term in terms} | {
        f"{term}_std": rows[term].std() for term in terms
    }
    if table.empty:
        return Diagnosis(known(metrics))
    spread = float(table["reward_std"].mean())
    metrics["reward_spread"] = spread
    # A sample without spread does not prove that there is none, so the deviation is at least the limit.
    deviation = max(float(table["reward_std"].std()), LIMITS.reward_spread) if len(table) > 1 else math.inf
    high = spread + t_limit(LIMITS.alpha, len(table)) * deviation / math.sqrt(len(table))
    is_held = context.rows["split"].isin(HELD).all()
    if is_held or len(table) < LIMITS.min_groups or high >= LIMITS.reward_spread:
        return Diagnosis(known(metrics))
    message = (
        f"rewards within a group have a deviation of {spread:.3f} on average (limit {LIMITS.reward_spread:g}): the "
        "advantage is mostly noise"
    )
    examples = of_groups(context.rows, table.nsmallest(20, "reward_std")).drop_duplicates("group")
    found = context.finding("low_reward_spread", "warning", message, {"reward_spread": spread}, examples)
    return Diagnosis(known(metrics), [found])


@hookimpl
def constant_term(context: Context) -> Diagnosis:
    """Warn of each term but correctness that counts in the reward and does not vary.

    Under group normalisation a bonus that nearly every attempt earns vanishes. A term is constant when one value other
    than 0 makes up 94% of the rows, or when in 94% of the groups all attempts got one value other than 0 (it may differ
    between problems). The source is a known trap of EvoTrainer (arXiv 2606.03108): "earned by 94-99% of rollouts". The
    recipe says which terms count; without one nothing is judged.
    """
    rows, findings = context.graded, []
    rows = rows[rows["reward"].notna()]
    if len(rows) < LIMITS.min_rows or context.recipe is None:
        return Diagnosis()
    for term in (name for name in rows.columns if name.startswith(TERM_PREFIX) and name != f"{TERM_PREFIX}correct"):
        name, values = term.removeprefix(TERM_PREFIX), rows[term].fillna(0.0)
        if not combine({name: 1.0}, context.recipe.reward):
            continue
        common = float(values.round(9).mode().iloc[0])
        row_share = float(((values - common).abs() < DEAD_SPREAD).mean()) if abs(common) > DEAD_SPREAD else 0.0
        by_group = values.groupby(rows["group"])
        size, low, high = by_group.size(), by_group.min(), by_group.max()
        is_constant = ((high - low < DEAD_SPREAD) & (high.abs() > DEAD_SPREAD))[size >= 2]
        group_share = is_constant.mean() if len(is_constant) >= LIMITS.min_groups else 0.0
        if max(row_share, group_share) < LIMITS.constant_term:
            continue
        message = (
            f"the term '{name}' is {common:g} in {row_share:.0%} of rows and constant within {is_constant.sum()} of "
            f"{len(is_constant)} groups: under group normalisation it has no effect, drop or change it"
        )
        numbers = {"row_share": row_share, "constant_group_share": group_share, "value": common}
        examples = rows.drop_duplicates("group")
        findings.append(context.finding("constant_term", "warning", message, numbers, examples))
    return Diagnosis({}, findings)


_TIE_DECIMALS = 9
"""Rewards that agree so far are equal."""


@hookimpl
def reward_outcome_divergence(context: Context) -> Diagnosis:
    """Return the order-violation ratio; findings for violations and for a reward that rises without the outcome.

    Within a group, a wrong attempt with more reward than a right one is an order violation: a term dominates
    correctness. Over a run, a shaped reward that rises while correctness does not is reward hacking (rule engine of
    EvoTrainer, arXiv 2606.03108). A rise alone, or a flat outcome alone, is no finding.
    """
    rows = context.graded
    rows = rows[rows["reward"].notna() & rows["correct"].isin([0.0, 1.0])]
    pairs = _pairs(rows)
    total = int(pairs["pairs"].sum())
    ratio = float(pairs["violations"].sum()) / total if total else math.nan
    found = _violations(context, rows, pairs, ratio)
    found += rises_alone(context, "reward_outcome_divergence", graded(context.training), "reward", "reward")
    return Diagnosis(known({"order_violation_ratio": ratio}), found)


def _pairs(rows: Frame) -> Frame:
    """Return by group: pairs of a right and a wrong attempt, and those where the wrong one has more reward."""
    # One row a reward value of a group. A running sum counts the right attempts with less reward than the wrong ones
    # there, so that a group may hold thousands of attempts.
    by_value = rows.assign(reward=rows["reward"].round(_TIE_DECIMALS)).groupby(["group", "reward"], sort=True)
    table = by_value["correct"].agg(right="sum", size="size")
    table["wrong"] = table["size"] - table["right"]
    by_group = table.groupby("group")
    table["violations"] = table["wrong"] * (by_group["right"].cumsum() - table["right"])
    total = table.groupby("group")[["right", "wrong", "violations"]].sum()
    return total.assign(pairs=total["right"] * total["wrong"])[lambda groups: groups["pairs"] > 0]


def _violations(context: Context, rows: Frame, pairs: Frame, ratio: float) -> list[Finding]:
    broken, least = pairs[pairs["violations"] > 0], LIMITS.order_violations_warning
    # Pairs of one group depend on each other: groups are counted for significance, pairs for size.
    if len(pairs) < LIMITS.min_groups or ratio <= least:
        return []
    if not significantly_above(len(broken), len(pairs), least, LIMITS.limit_alpha):
        return []
    severity: Severity = "critical" if ratio > LIMITS.order_violations_critical else "warning"
    message = (
        f"in {ratio:.0%} of pairs within a group (limit {least:.0%}) the wrong attempt has more reward than the right "
        "one: raise the weight of correctness"
    )
    is_wrong = rows["group"].isin(broken.index) & (rows["correct"] == 0.0)
    wrong = rows[is_wrong].sort_values("reward", ascending=False, kind="stable")
    numbers = {"order_violation_ratio": ratio, "num_groups": len(pairs), "num_broken_groups": len(broken)}
    return [context.finding("reward_outcome_divergence", severity, message, numbers, wrong)]


_TOLERANCE = 1e-3
"""Relative distance of an advantage that the noise of a division explains."""


@hookimpl
def advantage_mismatch(context: Context) -> Diagnosis:
    """Return the share of groups whose advantage does not follow from the reward; critical above 1%.

    A field that overwrites the advantage (a penalty, a stale tensor) breaks training silently. Every usual
    normalisation (group mean and deviation, mean alone, batch deviation, leave-one-out) is an increasing affine
    function of the reward within a group. With a recipe that normalises within the group, the values themselves must
    agree. Rows that are not in the loss are left out: their advantage is 0 by definition.
    """
    rows = graded(context.training)
    rows = rows[rows["advantage"].notna() & rows["reward"].notna() & (rows["in_loss"] != 0.0)]
    rows = rows[rows.groupby("group")["group"].transform("size") >= 2]
    if rows.empty:
        return Diagnosis()
    gaps = _gaps(rows, context.training_recipe.algorithm.advantage if context.training_recipe else "")
    wrong = gaps[gaps > _TOLERANCE].sort_values(ascending=False, kind="stable")
    share, findings = len(wrong) / len(gaps), []
    if share > LIMITS.advantage_mismatch and (len(wrong) >= 2 or share == 1.0):
        message = (
            f"in {len(wrong)} of {len(gaps)} groups the stored advantage is not a function of the reward: look for "
            f"code that overwrites it (limit {LIMITS.advantage_mismatch:.0%} of groups)"
        )
        numbers = {"advantage_mismatch": share, "largest_gap": float(wrong.iloc[0])}
        examples = of_groups(rows, wrong.to_frame())
        findings = [context.finding("advantage_mismatch", "critical", message, numbers, examples)]
    return Diagnosis(known({"advantage_mismatch": share}), findings)


def _gaps(rows: Frame, normalisation: str) -> Frame:
    """Return by group the largest relative distance of an advantage from the value that its reward implies."""
    groups = rows["group"]
    by_group = rows.groupby("group")
    reward = rows["reward"] - by_group["reward"].transform("mean")
    advantage = rows["advantage"] - by_group["advantage"].transform("mean")
    spread = (reward**2).groupby(groups).transform("mean") ** 0.5
    scale = advantage.abs().groupby(groups).transform("max").clip(lower=_TOLERANCE)
    # In a dead group the advantage is a constant, or what is left of the rewards times a slope.
    slope = (reward * advantage).groupby(groups).transform("mean") / (spread**2).where(spread > 0, 1.0)
    gap = (advantage - slope * reward).abs() / scale
    is_dead = spread < DEAD_SPREAD / 2
    gap = gap.where(is_dead | (slope * spread > _TOLERANCE * scale), 1.0)  # a higher reward, a higher advantage
    gap = gap.where(~is_dead | (advantage.abs() > 10 * _TOLERANCE), 0.0)
    if normalisation in ("group_std", "group_mean"):
        divisor = by_group["reward"].transform("std") + EPSILON if normalisation == "group_std" else 1.0
        gap = pd.concat([gap, (rows["advantage"] - reward / divisor).abs() / scale], axis=1).max(axis=1)
    return gap.groupby(groups).max()


@hookimpl
def phantom_advantage(context: Context) -> Diagnosis:
    """Return the share of |advantage| from groups of one outcome; warn above 20%, critical above 50%.

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
    phantom, total = mass[table["is_decided"] & (mass > DEAD_SPREAD)], int((mass > DEAD_SPREAD).sum())
    share = float(phantom.sum() / mass.sum())
    metrics = known({"phantom_advantage": share})
    if total < LIMITS.min_groups or share <= LIMITS.phantom_advantage_warning:
        return Diagnosis(metrics)
    message = (
        f"{share:.0%} of the advantage (limit {LIMITS.phantom_advantage_warning:.0%}) comes from {len(phantom)} groups "
        "of one outcome: filter such groups or lower the auxiliary terms"
    )
    severity: Severity = "critical" if share > LIMITS.phantom_advantage_critical else "warning"
    examples = of_groups(rows, table.loc[phantom.sort_values(ascending=False, kind="stable").index])
    numbers = {"phantom_advantage": share, "num_phantom_groups": len(phantom), "num_live_groups": total}
    return Diagnosis(metrics, [context.finding("phantom_advantage", severity, message, numbers, examples)])


def _mass(rows: Frame, table: Frame) -> Frame:
    """Return the summed |advantage| of each group of the table."""
    counted = graded(rows)
    counted = counted[counted["group"].isin(table.index)]
    groups = counted["group"]
    derived = (counted["reward"] - groups.map(table["reward_mean"])) / (groups.map(table["reward_std"]) + EPSILON)
    advantage = counted["advantage"].where(counted["advantage"].notna(), derived)
    return advantage.abs().groupby(groups).sum().reindex(table.index, fill_value=0.0)
