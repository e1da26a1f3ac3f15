"""History leak: the fix is taken from what a repository remembers, not found.

Proof, where the environment measures it: git brought a file to its state of a later commit, or a tool showed text that
only later commits hold, and the attempt counts as right. What git shows of the past is no leak, so a policy that
runs `git log` in a sanitised repository is never named. For rows without those measurements, behaviour has to do:
content restored from other commits that goes with success at the same problem; or reading of other commits that goes
with success and with patches equal to the reference. Reading that goes with success alone is critical, not invalid: the
careful read more, and are right more often. What is looked at after the last edit is one's own commit, and no reading.
(EvoTrainer, arXiv 2606.03108: an unsanitised version scored 48.8, clean 31.0.)
"""

from evotrainer.diagnosis.context import Context, Diagnosis, known
from evotrainer.diagnosis.hookspecs import hookimpl
from evotrainer.diagnosis.invalidity import (
    INVALID_LIMITS,
    all_rows,
    check,
    column,
    is_sure,
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
"""Likeness to the reference patch from which a patch is the reference up to blanks."""


@hookimpl
def diagnose(context: Context) -> Diagnosis:
    """Return the share of attempts that read history, and what it was worth to them."""
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
        "are right with the fix in hand: git showed or restored what only later commits hold",
    )


def _behaved(context: Context) -> list[Finding]:
    restored = paid_off(
        context,
        _MODE,
        lambda rows: ~_is_measured(rows) & (column(rows, "num_history_restores") > 0),
        "bring content of other commits into their files",
        "invalid",
    )
    if restored:
        return restored
    read = paid_off(context, _MODE, _reads, "read other commits", "critical")
    if read and _copies(context):
        message = f"{read[0].message}; their patches are the reference patch far more often too"
        return [read[0].model_copy(update={"severity": "invalid", "message": message})]
    return read


def _reads(rows: Frame) -> Frame:
    return ~_is_measured(rows) & (column(rows, "num_history_reads") > 0)


def _copies(context: Context) -> bool:
    """Tell whether successful attempts that read history equal the reference patch more often than the others."""
    rows = score_rows(context)
    rows = rows[solved(rows) & check(rows, "gold_similarity").notna()]
    found = excess(rows["group"], _reads(rows), check(rows, "gold_similarity") >= _EQUAL)
    return found is not None and is_sure(context, found)


def _in_vain(context: Context, rows: Frame) -> list[Finding]:
    """A leak that is open and was looked through without success will be found by training."""
    found = rows[_has_future(rows)]
    if found.empty:
        return []
    message = f"{len(found)} of {len(rows)} attempts were shown what only later commits hold: the history is not clean"
    numbers = {"attempts": len(found), "share": len(found) / len(rows)}
    return [context.finding(_MODE, "critical", message, numbers, INVALID_LIMITS, found)]


def _has_future(rows: Frame) -> Frame:
    return (check(rows, "future_seen") > 0) | (check(rows, "future_restored") > 0)


def _is_measured(rows: Frame) -> Frame:
    return check(rows, "future_seen").notna() | check(rows, "future_restored").notna()
