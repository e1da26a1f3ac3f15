"""Rewards: groups without a signal, terms that say nothing, rewards that do not follow the outcome."""

import math

import numpy as np

from evotrainer.algorithm.filters import DEAD_SPREAD
from evotrainer.algorithm.rewards import combine
from evotrainer.diagnosis.context import (
    Context,
    Diagnosis,
    graded,
    group_table,
    known,
    of_groups,
    significantly_above,
    t_limit,
    trend,
    z_limit,
)
from evotrainer.diagnosis.hookspecs import hookimpl
from evotrainer.domains.problem_sets.overlap import HELD
from evotrainer.evidence.frames import Frame
from evotrainer.evidence.schema import TERM_PREFIX
from evotrainer.records import Finding

_ABOVE = (0.15, 0.3)
"""Beyond the share of dead groups that small groups cannot avoid: a warning, critical."""


@hookimpl
def dead_groups(context: Context) -> Diagnosis:
    """Return the dead-group ratio and its parts; warn above 30%, critical above 50%.

    Dead groups: groups whose rewards are equal give a group-normalised estimator no gradient.

    dead_group_ratio is the share of groups with reward std < 1e-3. dead_group_expected is the share that the solve rate
    p alone predicts, mean of p^G + (1-p)^G, if all problems were equally hard. The excess comes from problems that are
    all too easy or too hard, from attempts that repeat each other, or from a reward that ignores the outcome. The last
    is a finding of its own: groups whose outcomes differ while their rewards do not. Limits: base metrics of EvoTrainer
    (arXiv 2606.03108). Of an evaluation alone, which feeds no gradient, the metrics are given and no finding.
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


@hookimpl
def reward_spread(context: Context) -> Diagnosis:
    """Return the spread of rewards and terms; warn where the spread is significantly below the limit.

    Reward spread: the mean over groups of the in-group standard deviation of the reward.

    Below 0.05 (base metrics of EvoTrainer, arXiv 2606.03108) the advantage is mostly noise, with or without dead
    groups. An evaluation alone has no advantage, and is not judged. Means and deviations of the reward terms are
    term_<name>_mean and term_<name>_std.
    """
    table, rows, limits = group_table(context.rows), context.graded, context.thresholds
    terms = [column for column in rows.columns if column.startswith(TERM_PREFIX)]
    metrics = {f"{term}_mean": rows[term].mean() for term in terms} | {
        f"{term}_std": rows[term].std() for term in terms
    }
    if table.empty:
        return Diagnosis(known(metrics))
    spread = float(table["reward_std"].mean())
    metrics["reward_spread"] = spread
    if context.rows["split"].isin(HELD).all():
        return Diagnosis(known(metrics))
    # A sample without spread does not prove that there is none, so the deviation is at least the limit.
    deviation = max(float(table["reward_std"].std()), limits.reward_spread) if len(table) > 1 else math.inf
    error = deviation / math.sqrt(len(table))
    findings = []
    if len(table) >= limits.min_groups and spread + t_limit(limits.alpha, len(table)) * error < limits.reward_spread:
        message = (
            f"rewards within a group have a deviation of {spread:.3f} on average (limit {limits.reward_spread:g}): the "
            "advantage is mostly noise"
        )
        numbers = {"reward_spread": spread, "standard_error": error}
        limit_names = ("reward_spread", "min_groups", "alpha")
        examples = of_groups(context.rows, table.nsmallest(20, "reward_std")).drop_duplicates("group")
        findings.append(context.finding("low_reward_spread", "warning", message, numbers, limit_names, examples))
    return Diagnosis(known(metrics), findings)


_FLAT = 1e-3
_OWN_TERMS = ("correct", "format", "partial", "length", "overlong")


@hookimpl
def constant_term(context: Context) -> Diagnosis:
    """Warn of each term but correctness that counts in the reward and does not vary.

    Constant term: a bonus that nearly every attempt earns vanishes under group normalisation.

    A term is constant when one value other than 0 makes up 94% of the rows, or when in 94% of the groups all attempts
    got the same value other than 0 (it may differ between problems). The source is a known trap of EvoTrainer (arXiv
    2606.03108): "earned by 94-99% of rollouts".

    Only terms that count in the reward are judged: by the recipe's weights, or without a recipe by a linear fit of the
    reward on its terms. Correctness itself is judged by dead_groups.
    """
    rows = context.graded
    rows = rows[rows["reward"].notna()]
    terms = [column for column in rows.columns if column.startswith(TERM_PREFIX) and column != f"{TERM_PREFIX}correct"]
    if len(rows) < context.thresholds.min_rows or not terms:
        return Diagnosis()
    findings = []
    for term in terms:
        findings += _judge(context, rows, term)
    return Diagnosis({}, findings)


def _judge(context: Context, rows: Frame, term: str) -> list[Finding]:
    limits, name = context.thresholds, term.removeprefix(TERM_PREFIX)
    values = rows[term].fillna(0.0)
    common = float(values.round(9).mode().iloc[0])
    row_share = float(((values - common).abs() < 1e-9).mean()) if abs(common) > _FLAT else 0.0
    count, total = _constant_groups(rows, values)
    is_group_constant = total >= limits.min_groups and count / total >= limits.constant_term
    if row_share < limits.constant_term and not is_group_constant:
        return []
    counts = _counts(context, rows, name)
    if counts is False and name in _OWN_TERMS:
        return []
    numbers = {"row_share": row_share, "constant_group_share": count / max(total, 1), "value": common}
    what = f"the term '{name}' is {common:g} in {row_share:.0%} of rows and constant within {count} of {total} groups"
    limit_names = ("constant_term", "min_rows", "min_groups")
    examples = rows.drop_duplicates("group")
    if counts is False:
        return [
            context.finding(
                "constant_term", "info", f"{what}; it does not count in the reward", numbers, limit_names, examples
            )
        ]
    return [
        context.finding(
            "constant_term",
            "warning",
            f"{what}: under group normalisation it has no effect, drop or change it",
            numbers,
            limit_names,
            examples,
        )
    ]


def _constant_groups(rows: Frame, values: Frame) -> tuple[int, int]:
    """Return how many groups of two and more hold one value other than 0, and how many there are."""
    by_group = values.groupby(rows["group"])
    size, low, high = by_group.size(), by_group.min(), by_group.max()
    is_constant = (size >= 2) & (high - low < _FLAT) & (high.abs() > _FLAT)
    return int(is_constant.sum()), int((size >= 2).sum())


def _counts(context: Context, rows: Frame, name: str) -> bool | None:
    """Tell whether the term enters the reward; None where the fit cannot decide."""
    if context.recipe is not None:
        return abs(combine({name: 1.0}, context.recipe.reward)) > 1e-12
    terms = [column for column in rows.columns if column.startswith(TERM_PREFIX)]
    known = rows[terms].fillna(0.0)
    design = known.loc[:, known.std() > _FLAT].assign(intercept=1.0).to_numpy()
    weights, *_ = np.linalg.lstsq(design, rows["reward"].to_numpy(), rcond=None)
    if np.abs(design @ weights - rows["reward"].to_numpy()).max() > 1e-6:
        return None
    varying = list(known.columns[known.std() > _FLAT])
    term = f"{TERM_PREFIX}{name}"
    weight = weights[varying.index(term)] if term in varying else weights[-1]
    return abs(float(weight)) > 1e-6


_TIE_DECIMALS = 9


@hookimpl
def reward_outcome_divergence(context: Context) -> Diagnosis:
    """Return the order-violation ratio; findings for violations and for a reward that rises without the outcome.

    Reward against outcome: does the reward pay for success?

    Two signals, each of two parts. Within a group, a wrong attempt with more reward than a right one is an order
    violation: a term dominates correctness. Over a run, a shaped reward that rises while correctness does not is reward
    hacking (rule engine of EvoTrainer, arXiv 2606.03108). A rise alone, or a flat outcome alone, is no finding.
    """
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
