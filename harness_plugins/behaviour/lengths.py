"""Lengths: tokens, turns, attempts that are cut, and lengths that the reward pays for."""

import math

import pandas as pd

from evotrainer.diagnosis.context import Context, Diagnosis, graded, known, word
from evotrainer.diagnosis.hookspecs import hookimpl
from evotrainer.diagnosis.rules import rate
from evotrainer.diagnosis.thresholds import LIMITS
from evotrainer.diagnosis.trends import (
    correlation,
    flat_success,
    significantly_above,
    significantly_correlated,
    t_limit,
    trend,
    z_limit,
)
from evotrainer.evidence.frames import Frame
from evotrainer.records import Finding, Severity


@hookimpl
def length(context: Context) -> Diagnosis:
    """Return mean and 95th percentile of an attempt's tokens, mean characters, and stop_<reason>_rate."""
    rows, reasons = context.graded, context.rows["stop_reason"].value_counts(normalize=True).sort_index()
    metrics: dict[str, float] = {"mean_chars": rows["num_chars"].mean()}
    if (rows["num_tokens"] > 0).any():
        tokens = rows["num_tokens"]
        metrics |= {"mean_tokens": tokens.mean(), "p95_tokens": tokens.quantile(0.95)}
    metrics |= {f"stop_{word(str(reason) or 'empty')}_rate": part for reason, part in reasons.items()}
    return Diagnosis(known(metrics))


@hookimpl
def length_gaming(context: Context) -> Diagnosis:
    """Return the plain correlation of length and reward and the two that are judged; warn above 0.3 in absolute value.

    The plain correlation (limit 0.3, base metrics of EvoTrainer, arXiv 2606.03108) misleads: careful work is longer and
    more often right, hard problems are longer and more often failed. So the correlation is taken within a group at
    equal outcome, where length should not matter; and among failures, where the shortest should not rank first. Over a
    run, length that grows by half while success does not rise is gaming too.
    """
    rows = context.graded
    rows = rows[rows["reward"].notna()]
    if rows.empty:
        return Diagnosis()
    inner = _within_outcome(rows)
    failures = inner[inner["correct"] < 1.0]
    same, failed = (correlation(part["num_tokens"], part["reward"]) for part in (inner, failures))
    metrics = known(
        {
            "length_reward_corr": correlation(rows["num_tokens"], rows["reward"]),
            "length_reward_corr_same_outcome": same,
            "length_reward_corr_failures": failed,
        }
    )
    longer = "at equal outcome, longer attempts of a group get more reward: add a length penalty or drop the term"
    shorter = "among failures of a group shorter ones get more reward: apply the length penalty to right answers only"
    findings = []
    for part, value, sign, what in ((inner, same, 1, longer), (failures, failed, -1, shorter)):
        alpha, least = LIMITS.limit_alpha, LIMITS.length_correlation
        if len(part) >= LIMITS.min_rows and significantly_correlated(sign * value, len(part), least, alpha):
            message = f"{what} (correlation {value:.2f}, limit {least:g})"
            numbers = {"correlation": value}
            examples = part.sort_values("reward", ascending=False, kind="stable")
            findings.append(context.finding("length_gaming", "warning", message, numbers, examples))
    return Diagnosis(metrics, findings + _growth(context))


def _within_outcome(rows: Frame) -> Frame:
    """Return rows of groups with several attempts of one outcome, tokens and reward centred on those."""
    rows = rows[rows["correct"].notna()]
    strata = [rows["group"], rows["correct"]]
    size = rows.groupby(strata)["group"].transform("size")
    names = ("num_tokens", "reward")
    centred = {name: rows[name] - rows[name].groupby(strata).transform("mean") for name in names}
    return rows.assign(**centred)[size >= 2]


def _growth(context: Context) -> list[Finding]:
    rows = graded(context.training)
    grows, solved = trend(rows, "num_tokens", LIMITS.min_groups), flat_success(context, rows)
    if grows is None or solved is None or grows.early <= 0 or grows.z < z_limit(LIMITS.alpha):
        return []
    if grows.late / grows.early - 1.0 < LIMITS.length_growth:
        return []
    message = (
        f"attempts grew from {grows.early:.0f} to {grows.late:.0f} tokens over the run while the solve rate went from "
        f"{solved.early:.2f} to {solved.late:.2f}"
    )
    numbers = {"early": grows.early, "late": grows.late, "z": grows.z, "solve_rate_z": solved.z}
    examples = rows.sort_values(["step", "num_tokens"], ascending=False, kind="stable")
    return [context.finding("length_gaming", "warning", message, numbers, examples)]


@hookimpl
def truncation(context: Context) -> Diagnosis:
    """Return truncation metrics; warn above the share, or where correct work is cut; critical where both hold.

    A share of 20% is the published limit (base metrics of EvoTrainer, arXiv 2606.03108). It holds for all steps and for
    the later half of them: a budget may shrink within a run. The second signal is the loss. A cut attempt would have
    been right about as often as the attempts of its group that were not cut, or it is right when its answer is read
    leniently. The message names a mask on cut attempts: it hides the loss from the reward, not from the policy.
    """
    rows = context.graded
    if rows.empty:
        return Diagnosis()
    lost, cut = _lost(rows), rows[rows["is_truncated"]]
    metrics = known(
        {
            "truncation_rate": rows["is_truncated"].mean(),
            "lost_to_truncation": lost.mean(),
            "masked_truncated": (cut["in_loss"] == 0.0).mean() if cut["in_loss"].notna().any() else None,
        }
    )
    late = rows[rows["step"] >= rows["step"].median()]
    findings = _judge(context, rows, lost, metrics) or _judge(context, late, lost[late.index], metrics)
    return Diagnosis(metrics, findings)


def _lost(rows: Frame) -> Frame:
    """Return for each attempt the chance, in [0, 1], that it was cut and would have been right."""
    whole = rows[~rows["is_truncated"]]
    solved = rows["group"].map(whole.groupby("group")["correct"].mean()).fillna(0.0)
    lenient = rows["lenient_correct"].fillna(0.0)
    is_cut_wrong = rows["is_truncated"] & ~(rows["correct"] >= 1.0)
    return pd.concat([solved, lenient], axis=1).max(axis=1).where(is_cut_wrong, 0.0)


def _judge(context: Context, rows: Frame, lost: Frame, metrics: dict[str, float]) -> list[Finding]:
    count, total = int(rows["is_truncated"].sum()), len(rows)
    by_group = lost.groupby(rows["group"]).mean()
    error = float(by_group.std()) / math.sqrt(len(by_group)) if len(by_group) > 1 else math.inf
    low = by_group.mean() - t_limit(LIMITS.alpha, len(by_group)) * error
    is_share = total >= LIMITS.min_rows and significantly_above(count, total, LIMITS.truncation, LIMITS.limit_alpha)
    is_lost = len(by_group) >= LIMITS.min_groups and low > LIMITS.lost_to_truncation
    if not (is_share or is_lost):
        return []
    hidden = ", hidden by a mask on cut attempts" if metrics.get("masked_truncated", 0.0) > 0.5 else ""
    since = f" since step {rows['step'].min():g}" if rows["step"].min() > context.graded["step"].min() else ""
    message = (
        f"{count} of {total} attempts{since} were cut by the budget (limit {LIMITS.truncation:.0%}){hidden}; by the "
        f"other attempts of their groups about {lost.sum():.0f} would have been right: raise the token or turn budget"
    )
    examples = rows[rows["is_truncated"]].assign(lost=lost).sort_values("lost", ascending=False, kind="stable")
    severity: Severity = "critical" if is_share and is_lost else "warning"
    return [context.finding("truncation", severity, message, metrics, examples)]


@hookimpl
def turns(context: Context) -> Diagnosis:
    """Return turn and tool metrics of episodes with several turns; warn where more than 15% of calls fail.

    The limit is a base metric of EvoTrainer (arXiv 2606.03108). Repeated calls are judged by echo_trap.
    """
    rows = context.graded
    if rows.empty or (rows["num_turns"].max() <= 1 and rows["num_tool_calls"].max() == 0):
        return Diagnosis()
    turns, calls, failed = rows["num_turns"], rows["num_tool_calls"], rows["num_failed_tool_calls"]
    metrics = known(
        {
            "mean_turns": turns.mean(),
            "tool_calls": calls.mean(),
            "failed_tool_call_rate": failed.sum() / calls.sum() if calls.sum() else None,
        }
    )
    what = "tool calls fail: check call format and the tools of the environment"
    found = rate(context, "tool_failures", rows, failed, calls, "failed_tool_calls", what, "failed_tool_call_rate")
    return Diagnosis(metrics, found)
