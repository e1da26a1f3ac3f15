"""Infrastructure zeros: failures of grader, environment or machine that are stored as a reward of 0.

Three signs: a row names an infrastructure error and still has a reward; a stop reason names one while `error` is empty;
attempts all failed at exactly the longest duration, which is a time limit and not a wrong answer. Such zeros teach the
policy to avoid what it did right. Validation rows are checked too, where such zeros falsify the score.
"""

import pandas as pd
import scipy

from evotrainer.diagnosis.context import Context, Diagnosis, known, significantly_above
from evotrainer.diagnosis.hookspecs import hookimpl
from evotrainer.evidence.frames import Frame
from evotrainer.records import Finding

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
def diagnose(context: Context) -> Diagnosis:
    """Return the share of lost attempts; critical for errors with a reward, warnings for lost or stalled ones."""
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
