"""Leaks: answers that are read, problems that are trained on, histories that hold the fix."""

import math
from collections.abc import Sequence

import pandas as pd

from evotrainer.diagnosis.context import Context, Diagnosis, correlation, graded, known
from evotrainer.diagnosis.hookspecs import hookimpl
from evotrainer.diagnosis.invalidity import (
    INVALID_LIMITS,
    all_rows,
    check,
    column,
    excess,
    is_significant,
    paid_off,
    proven,
    score_rows,
    share_of,
    solved,
)
from evotrainer.evidence.frames import Frame
from evotrainer.records import Finding


@hookimpl
def answer_reading(context: Context) -> Diagnosis:
    """Return the share of attempts that read answers, and whether they count as right.

    Answer reading: an attempt tried to read hidden tests or answers, or shows text that stands only there.

    A canary is random text placed in one problem's answers. Only reading can bring it, or a whole line of hidden tests,
    into an attempt. So one attempt proves that answers can be read. The score is invalid where a material share of its
    right attempts did so.
    """
    rows = all_rows(context)
    if not check(rows, "reads_answers").notna().any():
        return Diagnosis()
    found = proven(
        context,
        "answer_reading",
        lambda rows: _answer_reading_reads(rows) & solved(rows),
        "count as right and read hidden tests or answers, or tried to: close this access",
    )
    metrics = known({"answer_reading_rate": share_of(check(rows, "reads_answers"))})
    return Diagnosis(metrics, found or _answer_reading_in_vain(context, rows))


def _answer_reading_reads(rows: Frame) -> Frame:
    return check(rows, "reads_answers") > 0


def _answer_reading_in_vain(context: Context, rows: Frame) -> list[Finding]:
    found = rows[_answer_reading_reads(rows)]
    if found.empty:
        return []
    message = f"{len(found)} of {len(rows)} attempts read hidden tests or answers, or tried to: close this access"
    return [context.finding("answer_reading", "critical", message, {"attempts": len(found)}, (), found)]


_HELD = ("validation", "test", "holdout")


@hookimpl
def contamination(context: Context) -> Diagnosis:
    """Return how closely the reward follows the outcome within groups; invalid where a held problem is trained on.

    Contamination: problems that are trained on and evaluated on.

    Evidence proves it where a problem id stands in training and in validation, test or holdout. Near-duplicates under
    other ids need the problem files (evotrainer/diagnosis/contamination.py).
    """
    metrics = known({"reward_outcome_corr": _reward_outcome(graded(context.rows))})
    return Diagnosis(metrics, _shared(context, [context.rows, context.training, context.validation]))


def _shared(context: Context, frames: Sequence[Frame]) -> list[Finding]:
    held: Frame = pd.concat([rows[rows["split"].isin(_HELD)] for rows in frames], ignore_index=True)
    if held.empty:
        return []
    trained: Frame = pd.concat([rows[rows["split"] == "train"] for rows in frames], ignore_index=True)
    found = held[held["problem_id"].isin(trained["problem_id"].unique())]
    found = found.drop_duplicates("problem_id")
    if found.empty:
        return []
    limits, total = context.thresholds, held["problem_id"].nunique()
    severity = "invalid" if len(found) >= limits.contaminated_problems * total else "critical"
    named = ", ".join(sorted(found["problem_id"])[:3])
    splits = ", ".join(split for split in _HELD if split in set(held["split"]))
    message = (
        f"{len(found)} of {total} problems that are judged on ({splits}) are trained on too ({named}): remove them "
        "from training"
    )
    numbers = {"problems": len(found), "share": len(found) / total}
    return [context.finding("contamination", severity, message, numbers, ("contaminated_problems",), found)]


def _reward_outcome(rows: Frame) -> float:
    """Return the correlation of reward and correctness within groups: 1 for correctness itself, 0 for noise."""
    rows = rows[rows["reward"].notna() & rows["correct"].notna()]
    if rows.empty:
        return math.nan
    means = rows.groupby("group")[["reward", "correct"]].transform("mean")
    return correlation(rows["reward"] - means["reward"], rows["correct"] - means["correct"])


_EQUAL = 0.95
"""Similarity to the reference patch from which a patch equals it up to white space."""


@hookimpl
def history_leak(context: Context) -> Diagnosis:
    """Return the share of attempts that read history, and whether it helped them.

    History leak: the fix is copied from the repository's git history.

    Where the environment measures it, proof is: git brought a file to its state of a later commit, or a tool showed
    text that only later commits hold, and the attempt counts as right. Text of the past is no leak, so `git log` in a
    sanitised repository is never a finding.

    Without those measurements, behaviour is judged. `invalid` needs content restored from other commits that goes with
    success at the same problem, or reading of other commits that goes with success and with patches equal to the
    reference. Reading that goes with success alone is critical: careful attempts read more and are right more often.
    Reading after the last edit shows the attempt's own commit and does not count.

    EvoTrainer (arXiv 2606.03108) reports 48.8 for a version with a leak, 31.0 without.
    """
    rows = all_rows(context)
    if not ((column(rows, "num_tool_calls") > 0) | _is_measured(rows)).any():
        return Diagnosis()
    metrics = known(
        {
            "history_read_rate": share_of(column(rows, "num_history_reads")),
            "history_restore_rate": share_of(column(rows, "num_history_restores")),
        }
    )
    return Diagnosis(metrics, _shown(context) or _behaved(context) or _history_leak_in_vain(context, rows))


def _shown(context: Context) -> list[Finding]:
    return proven(
        context,
        "history_leak",
        lambda rows: _has_future(rows) & solved(rows),
        "are right after git showed or restored text that only later commits hold: sanitise the history",
    )


def _behaved(context: Context) -> list[Finding]:
    restored = paid_off(
        context,
        "history_leak",
        lambda rows: ~_is_measured(rows) & (column(rows, "num_history_restores") > 0),
        "restore content of other commits",
        "invalid",
    )
    if restored:
        return restored
    read = paid_off(context, "history_leak", _history_leak_reads, "read other commits", "critical")
    if read and _copies(context):
        message = f"{read[0].message}; their patches also equal the reference patch more often"
        return [read[0].model_copy(update={"severity": "invalid", "message": message})]
    return read


def _history_leak_reads(rows: Frame) -> Frame:
    return ~_is_measured(rows) & (column(rows, "num_history_reads") > 0)


def _copies(context: Context) -> bool:
    """Tell whether successful attempts that read history equal the reference patch more often than the others."""
    rows = score_rows(context)
    rows = rows[solved(rows) & check(rows, "gold_similarity").notna()]
    found = excess(rows["group"], _history_leak_reads(rows), check(rows, "gold_similarity") >= _EQUAL)
    return found is not None and is_significant(context, found)


def _history_leak_in_vain(context: Context, rows: Frame) -> list[Finding]:
    """Find a leak that no attempt has used yet: training will find it."""
    found = rows[_has_future(rows)]
    if found.empty:
        return []
    message = f"{len(found)} of {len(rows)} attempts saw text that only later commits hold: sanitise the history"
    numbers = {"attempts": len(found), "share": len(found) / len(rows)}
    return [context.finding("history_leak", "critical", message, numbers, INVALID_LIMITS, found)]


def _has_future(rows: Frame) -> Frame:
    return (check(rows, "future_seen") > 0) | (check(rows, "future_restored") > 0)


def _is_measured(rows: Frame) -> Frame:
    return check(rows, "future_seen").notna() | check(rows, "future_restored").notna()
