"""Lengths: tokens, turns, attempts that are cut, and lengths that are paid."""

import math
import re

import pandas as pd

from evotrainer.diagnosis.context import (
    Context,
    Diagnosis,
    correlation,
    graded,
    known,
    significantly_above,
    significantly_correlated,
    t_limit,
    trend,
    z_limit,
)
from evotrainer.diagnosis.hookspecs import hookimpl
from evotrainer.evidence.frames import Frame
from evotrainer.records import Finding


@hookimpl
def length(context: Context) -> Diagnosis:
    """Return length metrics.

    Length of an attempt: mean, median and 95th percentile of its tokens, and mean characters. No findings.
    """
    rows = context.graded
    metrics: dict[str, float] = {"mean_chars": rows["num_chars"].mean()}
    if (rows["num_tokens"] > 0).any():
        tokens = rows["num_tokens"]
        metrics |= {"mean_tokens": tokens.mean(), "median_tokens": tokens.median(), "p95_tokens": tokens.quantile(0.95)}
    return Diagnosis(known(metrics))


@hookimpl
def length_gaming(context: Context) -> Diagnosis:
    """Return the plain correlation and the two that are judged; warn above 0.3 in absolute value.

    Length gaming: the reward pays for length itself, or for the shortest failure.

    The plain correlation of length and reward (limit 0.3, base metrics of EvoTrainer, arXiv 2606.03108) misleads.
    Careful work is longer and more often right; hard problems are longer and more often failed. So the correlation is
    taken within a group at equal outcome, where length should not matter. Where no outcomes are recorded the finding is
    an info, because right answers may need more length; it is a warning where length decides the reward, or grows over
    the run.

    Over a run, length that grows by half while success does not rise is gaming too. Length is counted in tokens, or in
    characters where rows have no token counts.
    """
    rows = _with_length(context.graded)
    rows = rows[rows["reward"].notna()]
    if rows.empty:
        return Diagnosis()
    inner = _within_outcome(rows)
    failures = inner[inner["correct"] < 1.0]
    longer, shorter = correlation(inner["length"], inner["reward"]), correlation(failures["length"], failures["reward"])
    metrics = known(
        {
            "length_reward_corr": correlation(rows["length"], rows["reward"]),
            "length_reward_corr_same_outcome": longer,
            "length_reward_corr_failures": shorter,
        }
    )
    findings = _paid(context, inner, longer) + _shortest(context, failures, shorter) + _growth(context)
    return Diagnosis(metrics, findings)


def _with_length(rows: Frame) -> Frame:
    has_tokens = bool((rows["num_tokens"] > 0).any())
    return rows.assign(length=rows["num_tokens" if has_tokens else "num_chars"].astype(float))


def _within_outcome(rows: Frame) -> Frame:
    """Return rows of groups with several attempts of one outcome, length and reward centred on those."""
    # Without outcomes a whole group is one stratum.
    rows = rows[rows["correct"].notna()] if rows["correct"].notna().any() else rows
    outcome = rows["correct"].fillna(-1.0)
    strata = [rows["group"], outcome]
    size = rows.groupby(strata)["group"].transform("size")
    centred = rows.assign(
        **{name: rows[name] - rows[name].groupby(strata).transform("mean") for name in ("length", "reward")}
    )
    return centred.assign(correct=outcome)[size >= 2]


def _paid(context: Context, inner: Frame, value: float) -> list[Finding]:
    limits = context.thresholds
    if len(inner) < limits.min_rows or not significantly_correlated(
        value, len(inner), limits.length_correlation, limits.limit_alpha
    ):
        return []
    is_known = bool((inner["correct"] >= 0).any())
    where = "at equal outcome" if is_known else "outcomes are not recorded; over all attempts"
    message = (
        f"{where}, longer attempts of a group get more reward (correlation {value:.2f}, limit "
        f"{limits.length_correlation:g}): add a length penalty or drop the term that pays for length"
    )
    examples = inner.sort_values("reward", ascending=False, kind="stable")
    numbers = {"correlation": value, "rows": len(inner)}
    limit_names = ("length_correlation", "min_rows", "limit_alpha")
    is_gaming = is_known or _decides(context, value, len(inner))
    return [
        context.finding("length_gaming", "warning" if is_gaming else "info", message, numbers, limit_names, examples)
    ]


def _decides(context: Context, value: float, count: int) -> bool:
    """Tell, where outcomes are unknown, whether length decides the reward, or answers grow for it over the run."""
    limits, rows = context.thresholds, _with_length(graded(context.training))
    if significantly_correlated(value, count, 2 * limits.length_correlation, limits.limit_alpha):
        return True
    length = trend(rows, "length", limits.min_groups)
    return length is not None and length.z > z_limit(limits.alpha) and length.late > 1.2 * length.early


def _shortest(context: Context, failures: Frame, value: float) -> list[Finding]:
    limits = context.thresholds
    if len(failures) < limits.min_rows or (failures["correct"] < 0).any():
        return []
    if not significantly_correlated(-value, len(failures), limits.length_correlation, limits.limit_alpha):
        return []
    message = (
        f"among failures of a group shorter ones get more reward (correlation {value:.2f}): apply the length penalty "
        "to right answers only"
    )
    examples = failures.sort_values("reward", ascending=False, kind="stable")
    numbers = {"correlation": value, "rows": len(failures)}
    limit_names = ("length_correlation", "min_rows", "limit_alpha")
    return [context.finding("length_gaming", "warning", message, numbers, limit_names, examples)]


def _growth(context: Context) -> list[Finding]:
    limits, rows = context.thresholds, _with_length(graded(context.training))
    length, solved = trend(rows, "length", limits.min_groups), context.flat_success(rows)
    if length is None or solved is None or length.early <= 0 or length.z < z_limit(limits.alpha):
        return []
    if length.late / length.early - 1.0 < limits.length_growth:
        return []
    message = (
        f"attempts grew from {length.early:.0f} to {length.late:.0f} over the run while the solve rate went from "
        f"{solved.early:.2f} to {solved.late:.2f}"
    )
    numbers = {"early": length.early, "late": length.late, "z": length.z, "solve_rate_z": solved.z}
    examples = rows.sort_values(["step", "length"], ascending=False, kind="stable")
    return [
        context.finding(
            "length_gaming", "warning", message, numbers, ("length_growth", "outcome_rise", "alpha"), examples
        )
    ]


@hookimpl
def truncation(context: Context) -> Diagnosis:
    """Return truncation metrics; warn above the share, or where correct work is cut; critical where both hold.

    Truncation: attempts cut by the token or turn budget, and how many of them would have been right.

    A share of 20% is the published limit (base metrics of EvoTrainer, arXiv 2606.03108). It holds for all steps and for
    the later half of them: a budget may shrink within a run. The second signal is the loss. A cut attempt would have
    been right about as often as the attempts of its group that were not cut, or it is right when its answer is read
    leniently. The message names a mask on cut attempts: it hides the loss from the reward, not from the policy.
    """
    rows = context.graded
    if rows.empty:
        return Diagnosis()
    lost = _lost(rows)
    cut = rows[rows["is_truncated"]]
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
    limits, count, total = context.thresholds, int(rows["is_truncated"].sum()), len(rows)
    by_group = lost.groupby(rows["group"]).mean()
    error = float(by_group.std()) / math.sqrt(len(by_group)) if len(by_group) > 1 else math.inf
    is_share = total >= limits.min_rows and significantly_above(count, total, limits.truncation, limits.limit_alpha)
    is_lost = (
        len(by_group) >= limits.min_groups
        and by_group.mean() - t_limit(limits.alpha, len(by_group)) * error > limits.lost_to_truncation
    )
    if not (is_share or is_lost):
        return []
    hidden = ", hidden by a mask on cut attempts" if metrics.get("masked_truncated", 0.0) > 0.5 else ""
    since = f" since step {rows['step'].min():g}" if rows["step"].min() > context.graded["step"].min() else ""
    message = (
        f"{count} of {total} attempts{since} were cut by the budget (limit {limits.truncation:.0%}){hidden}; by the "
        f"other attempts of their groups about {lost.sum():.0f} would have been right: raise the token or turn budget"
    )
    examples = rows[rows["is_truncated"]].assign(lost=lost).sort_values("lost", ascending=False, kind="stable")
    limit_names = ("truncation", "lost_to_truncation", "limit_alpha", "alpha")
    return [
        context.finding(
            "truncation", "critical" if is_share and is_lost else "warning", message, metrics, limit_names, examples
        )
    ]


@hookimpl
def stop_reasons(context: Context) -> Diagnosis:
    """Return the share of each stop reason.

    Stop reasons: share of attempts by stop reason, as stop_<reason>_rate. No findings: truncation has its own.
    """
    shares = context.rows["stop_reason"].value_counts(normalize=True).sort_index()
    return Diagnosis(known({f"stop_{_word(str(reason))}_rate": share for reason, share in shares.items()}))


def _word(reason: str) -> str:
    """Return the reason as part of a metric's name."""
    return re.sub(r"[^a-z0-9]+", "_", reason.lower()).strip("_") or "empty"


@hookimpl
def turns(context: Context) -> Diagnosis:
    """Return turn and tool metrics of episodes with several turns; warn of failing tools.

    Turns and tools: length of episodes, number of calls, share of calls that fail.

    Single-turn rows have no metrics here. The limit of 15% failed calls is a base metric of EvoTrainer (arXiv
    2606.03108). Repeated calls are judged by echo_trap.
    """
    rows = context.graded
    if rows.empty or (rows["num_turns"].max() <= 1 and rows["num_tool_calls"].max() == 0):
        return Diagnosis()
    turns, calls = rows["num_turns"], rows["num_tool_calls"]
    metrics = known(
        {
            "mean_turns": turns.mean(),
            "median_turns": turns.median(),
            "max_turns": turns.max(),
            "tool_calls": calls.mean(),
            "longest_tool_run": rows["longest_tool_run"].mean(),
            "failed_tool_call_rate": rows["num_failed_tool_calls"].sum() / calls.sum() if calls.sum() else None,
        }
    )
    return Diagnosis(metrics, _failing_tools(context, rows))


def _failing_tools(context: Context, rows: Frame) -> list[Finding]:
    limits, failed, calls = context.thresholds, rows["num_failed_tool_calls"], rows["num_tool_calls"]
    # Calls of one attempt fail together, so attempts are the independent units.
    many = (failed > limits.failed_tool_calls * calls) & (failed >= 1)
    share = failed.sum() / max(calls.sum(), 1)
    if (
        len(rows) < limits.min_rows
        or share <= limits.failed_tool_calls
        or not significantly_above(int(many.sum()), len(rows), limits.failed_tool_calls, limits.limit_alpha)
    ):
        return []
    message = (
        f"{share:.0%} of tool calls fail (limit {limits.failed_tool_calls:.0%}): check call format and the tools of "
        "the environment"
    )
    examples = rows.sort_values("num_failed_tool_calls", ascending=False, kind="stable")
    numbers = {"failed_tool_call_rate": float(share)}
    limit_names = ("failed_tool_calls", "min_rows", "limit_alpha")
    return [context.finding("tool_failures", "warning", message, numbers, limit_names, examples)]
