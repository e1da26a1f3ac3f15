"""History leak: the fix is copied from the repository's git history.

Where the environment measures it, proof is: git brought a file to its state of a later commit, or a tool showed text
that only later commits hold, and the attempt counts as right. Text of the past is no leak, so `git log` in a sanitised
repository is never a finding.

Without those measurements, behaviour is judged. `invalid` needs content restored from other commits that goes with
success at the same problem, or reading of other commits that goes with success and with patches equal to the reference.
Reading that goes with success alone is critical: careful attempts read more and are right more often. So is restoring
in rows from elsewhere, whose tasks are not known. Reading after the last edit shows the attempt's own commit and does
not count.

EvoTrainer (arXiv 2606.03108) reports 48.8 for a version with a leak, 31.0 without.
"""

from evotrainer.diagnosis.context import Context, Diagnosis, known
from evotrainer.diagnosis.hookspecs import hookimpl
from evotrainer.diagnosis.invalidity import (
    INVALID_LIMITS,
    all_rows,
    check,
    column,
    is_significant,
    paid_off,
    proven,
    score_rows,
    share_of,
    solved,
)
from evotrainer.diagnosis.within_group_test import excess
from evotrainer.evidence.frames import Frame
from evotrainer.records import Finding

_MODE = "history_leak"
_EQUAL = 0.95
"""Similarity to the reference patch from which a patch equals it up to white space."""


@hookimpl
def diagnose(context: Context) -> Diagnosis:
    """Return the share of attempts that read history, and whether it helped them."""
    rows = all_rows(context)
    if not ((column(rows, "num_tool_calls") > 0) | _is_measured(rows)).any():
        return Diagnosis()
    metrics = known(
        {
            "history_read_rate": share_of(column(rows, "num_history_reads")),
            "history_restore_rate": share_of(column(rows, "num_history_restores")),
        }
    )
    return Diagnosis(metrics, _shown(context) or _behaved(context) or _in_vain(context, rows))


def _shown(context: Context) -> list[Finding]:
    return proven(
        context,
        _MODE,
        lambda rows: _has_future(rows) & solved(rows),
        "are right after git showed or restored text that only later commits hold: sanitise the history",
    )


def _behaved(context: Context) -> list[Finding]:
    restored = paid_off(
        context,
        _MODE,
        lambda rows: ~_is_measured(rows) & (column(rows, "num_history_restores") > 0),
        "restore content of other commits",
        "invalid",
    )
    if restored:
        return restored
    read = paid_off(context, _MODE, _reads, "read other commits", "critical")
    if read and _copies(context):
        message = f"{read[0].message}; their patches also equal the reference patch more often"
        return [read[0].model_copy(update={"severity": "invalid", "message": message})]
    return read


def _reads(rows: Frame) -> Frame:
    return ~_is_measured(rows) & (column(rows, "num_history_reads") > 0)


def _copies(context: Context) -> bool:
    """Tell whether successful attempts that read history equal the reference patch more often than the others."""
    rows = score_rows(context)
    rows = rows[solved(rows) & check(rows, "gold_similarity").notna()]
    found = excess(rows["group"], _reads(rows), check(rows, "gold_similarity") >= _EQUAL)
    return found is not None and is_significant(context, found)


def _in_vain(context: Context, rows: Frame) -> list[Finding]:
    """Find a leak that no attempt has used yet: training will find it."""
    found = rows[_has_future(rows)]
    if found.empty:
        return []
    message = f"{len(found)} of {len(rows)} attempts saw text that only later commits hold: sanitise the history"
    numbers = {"attempts": len(found), "share": len(found) / len(rows)}
    return [context.finding(_MODE, "critical", message, numbers, INVALID_LIMITS, found)]


def _has_future(rows: Frame) -> Frame:
    return (check(rows, "future_seen") > 0) | (check(rows, "future_restored") > 0)


def _is_measured(rows: Frame) -> Frame:
    return check(rows, "future_seen").notna() | check(rows, "future_restored").notna()
