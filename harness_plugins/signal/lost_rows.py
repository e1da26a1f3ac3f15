"""Attempts that never reach the loss: filtered, or lost to machines."""

import numpy as np
import pandas as pd
import scipy
from scipy import special

from evotrainer.diagnosis.context import (
    Context,
    Diagnosis,
    graded,
    known,
    significantly_above,
    significantly_below,
    thirds,
)
from evotrainer.diagnosis.hookspecs import hookimpl
from evotrainer.evidence.frames import Frame
from evotrainer.records import Finding


@hookimpl
def over_filtering(context: Context) -> Diagnosis:
    """Return kept share and problem diversity; warn below 30% kept and below half the problems.

    Over-filtering: too few of the sampled rows reach the loss, or too few different problems do.

    Below 30% kept (failure modes, 25) a run pays for rollouts that it discards. The pool's size is not in the rows, so
    shrinkage is measured within the run: the distinct problems of the last third of steps against those of the first
    third, at an equal number of groups (rarefaction: Hurlbert 1971). EvoTrainer (arXiv 2606.03108) saw exploration
    collapse when data shrank to 23%.
    """
    rows = graded(context.training)
    judged = rows[rows["in_loss"].notna()]
    metrics: dict[str, float | None] = {}
    findings: list[Finding] = []
    if len(judged):
        metrics["kept_rows"] = float((judged["in_loss"] > 0).mean())
        by_group = judged.groupby("group")["in_loss"].max() > 0
        findings += _kept(context, int(by_group.sum()), len(by_group), metrics["kept_rows"])
        judged = judged[judged["in_loss"] > 0]
    limits = context.thresholds
    ratio = _problem_ratio(judged, limits.min_groups)
    metrics["unique_problem_ratio"] = ratio
    if ratio is not None and ratio < limits.unique_problems:
        message = (
            f"the last third of the run trained on {ratio:.0%} as many different problems as the first third (limit "
            f"{limits.unique_problems:.0%}): loosen filter or curriculum"
        )
        findings.append(
            context.finding(
                "over_filtering", "warning", message, {"unique_problem_ratio": ratio}, ("unique_problems", "min_groups")
            )
        )
    return Diagnosis(known(metrics), findings)


def _kept(context: Context, count: int, total: int, kept_rows: float) -> list[Finding]:
    limits = context.thresholds
    # Groups are kept or dropped as a whole, so they are the independent units.
    if (
        total < limits.min_groups
        or kept_rows >= limits.kept_rows
        or not significantly_below(count, total, limits.kept_rows, limits.limit_alpha)
    ):
        return []
    message = f"{count} of {total} groups reach the loss (limit {limits.kept_rows:.0%} of rows): loosen the filter"
    numbers = {"kept_rows": kept_rows, "kept_groups": count / total}
    limit_names = ("kept_rows", "min_groups", "limit_alpha")
    return [context.finding("over_filtering", "warning", message, numbers, limit_names)]


def _problem_ratio(rows: Frame, min_groups: int) -> float | None:
    """Return distinct problems among equally many groups, last third of steps over first third; None for few groups."""
    parts = thirds(rows)
    if parts is None:
        return None
    counts = [part.groupby("problem_id")["group"].nunique().to_numpy() for part in parts]
    drawn = int(min(count.sum() for count in counts))
    if drawn < min_groups:
        return None
    early, late = (_expected_problems(count, drawn) for count in counts)
    return late / early


def _expected_problems(groups: np.ndarray, drawn: int) -> float:
    """Return how many problems `drawn` groups hold on average, of problems with so many groups each."""
    others = groups.sum() - groups
    log_missed = special.gammaln(others + 1) - special.gammaln(np.maximum(others - drawn, 0) + 1)
    log_all = special.gammaln(groups.sum() + 1) - special.gammaln(groups.sum() - drawn + 1)
    return float(np.where(others < drawn, 1.0, 1.0 - np.exp(log_missed - log_all)).sum())


_MACHINE_STOPS = (
    "error",
    "timeout",
    "grader_timeout",
    "grader_error",
    "crash",
    "infrastructure",
    "infrastructure_error",
)
_AT_LIMIT = 0.99


@hookimpl
def infrastructure_zeros(context: Context) -> Diagnosis:
    """Return the share of lost attempts; critical for errors with a reward, warnings for lost or stalled ones.

    Infrastructure zeros: failures of grader, environment or machine that are stored as a reward of 0.

    Three signs: a row names an infrastructure error and still has a reward; a stop reason names one while `error` is
    empty; attempts all failed at exactly the longest duration, which is a time limit and not a wrong answer. Such zeros
    teach the policy to avoid what it did right. Validation rows are checked too, where such zeros falsify the score.
    """
    rows: Frame = pd.concat([context.rows, context.validation], ignore_index=True)
    if rows.empty:
        return Diagnosis()
    metrics = known({"infrastructure_error_rate": rows["error"].notna().mean()})
    return Diagnosis(metrics, _scored_errors(context, rows) + _many_errors(context, rows) + _stalled(context, rows))


def _scored_errors(context: Context, rows: Frame) -> list[Finding]:
    is_named = rows["error"].notna() | rows["stop_reason"].isin(_MACHINE_STOPS)
    scored = rows[is_named & (rows["reward"].notna() | rows["correct"].notna())]
    if scored.empty:
        return []
    message = f"{len(scored)} attempts ended with an infrastructure error and have a reward or outcome: mask them"
    numbers = {"scored_errors": len(scored), "share": len(scored) / len(rows)}
    return [context.finding("infrastructure_zeros", "critical", message, numbers, (), scored)]


def _many_errors(context: Context, rows: Frame) -> list[Finding]:
    limits, lost = context.thresholds, rows[rows["error"].notna()]
    if len(rows) < limits.min_rows or not significantly_above(
        len(lost), len(rows), limits.infrastructure_errors, limits.limit_alpha
    ):
        return []
    names = ", ".join(f"{name} {count}" for name, count in sorted(lost["error"].value_counts().items()))
    message = (
        f"{len(lost)} of {len(rows)} attempts were lost to infrastructure errors, limit "
        f"{limits.infrastructure_errors:.0%} ({names}): fix the environment, grader or machine"
    )
    numbers = {"share": len(lost) / len(rows)}
    limit_names = ("infrastructure_errors", "min_rows", "limit_alpha")
    return [context.finding("infrastructure_errors", "warning", message, numbers, limit_names, lost)]


def _stalled(context: Context, rows: Frame) -> list[Finding]:
    """Find failures at the longest duration that are more common than among other attempts.

    Attempts that ran out of tokens or turns are left out: they are long and wrong without a time limit.
    """
    limits = context.thresholds
    is_timed = rows["error"].isna() & rows["duration_seconds"].notna() & rows["correct"].notna()
    timed = rows[is_timed & ~rows["is_truncated"].astype(bool)]
    if len(timed) < limits.min_rows or timed["duration_seconds"].max() <= 0:
        return []
    at_limit = timed["duration_seconds"] >= _AT_LIMIT * timed["duration_seconds"].max()
    stalled, others = timed[at_limit], timed[~at_limit]
    if others.empty or not significantly_above(len(stalled), len(timed), limits.stalled_failures, limits.limit_alpha):
        return []
    table = [[int((part["correct"] <= 0).sum()), int((part["correct"] > 0).sum())] for part in (stalled, others)]
    p_value = float(scipy.stats.fisher_exact(table, alternative="greater")[1])  # type: ignore[index]
    if table[0][1] > 0 or p_value >= limits.alpha:
        return []
    longest = float(timed["duration_seconds"].max())
    message = (
        f"{len(stalled)} attempts all failed at the longest duration ({longest:.3g} s), where others are right in "
        f"{(others['correct'] > 0).mean():.0%}: a time limit is stored as a wrong answer, mask it"
    )
    numbers = {"stalled": len(stalled), "longest_seconds": longest, "p_value": p_value}
    limit_names = ("stalled_failures", "min_rows", "alpha")
    return [context.finding("infrastructure_zeros", "warning", message, numbers, limit_names, stalled)]
