"""Logs of the grader that show no failed test, at attempts with the least reward.

A text beside the attempts ends with what a runner of tests says. It is the grader's where paid attempts have a log that
passed, and attempts with one that failed are unpaid. Attempts whose log passed and that are unpaid all the same were
read wrongly. A log of open tests, or of the policy's own, says nothing about hidden ones.
"""

import re

from evotrainer.diagnosis.context import Context, Diagnosis
from evotrainer.diagnosis.hookspecs import hookimpl
from evotrainer.diagnosis.texts import EXTRA_PREFIX, ends_of, outside_columns
from evotrainer.evidence.frames import Frame

NEEDS = {"metric_defect": ("extra", "reward")}

_NOTHING = re.compile(r"\b(?:0|no) (?:fail(?:ed|ures?|ing)|errors?)\b|\b(?:failed|failures?|errors?)\W{1,3}0\b", re.I)
_FAILED = re.compile(
    r"\bfail(?:ed|ures?|ing|s)?\b|\bnot ok\b|\b[1-9]\d* errors?\b|\berrors?=[1-9]|\b\w*(?:Error|Exception)\b|Traceback"
    r"|\bexit(?:ed)?(?: with)?(?: code| status)?\W{1,3}[1-9]|\bno tests\b|\btime(?:d )?out\b|\bkilled\b",
    re.I,
)
_PASSED = re.compile(
    r"\b[1-9]\d* (?:tests? )?pass(?:ed|ing)\b|^(?:OK|ok|PASS(?:ED)?|SUCCESS)\b|\btest result: ok\b|\ball (?:\w+ )?pass"
    r"|\bBUILD SUCCESS|\b100% tests passed\b",
    re.I | re.M,
)
_OPEN = re.compile(r"public|visible|open|example|sample|own|agent|self|local|smoke|lint|format|build|compile", re.I)
_AGREE, _MIN_ROWS, _MIN_PROBLEMS, _SHARE = 0.95, 12, 4, 0.05


@hookimpl
def diagnose(context: Context) -> Diagnosis:
    """Return a finding for the first log that passed at attempts with the least reward."""
    rows = context.unequally_paid
    rows = rows[rows["in_loss"] != 0.0]
    if rows.empty:
        return Diagnosis()
    for name in outside_columns(rows):
        label = name.removeprefix(EXTRA_PREFIX)
        known = rows[ends_of(rows, name).map(lambda value: isinstance(value, str) and "\n" in value)]
        if _OPEN.search(label) or len(known) < context.thresholds.min_rows:
            continue
        unread = _unread(known, ends_of(known, name).map(_verdict))
        if unread is None:
            continue
        message = (
            f"`{label}` ends without a failed test at {len(unread)} attempts with the least reward, where every failed "
            "one is unpaid and nearly all paid ones passed: the grader misreads its log, read these and grade again"
        )
        numbers = {"attempts": len(unread), "share": len(unread) / len(known)}
        finding = context.finding("metric_defect", "warning", message, numbers, ("min_rows",), unread)
        return Diagnosis(findings=[finding])
    return Diagnosis()


def _verdict(end: str) -> str:
    """Return whether the end of a log says that tests passed or failed; empty where it says neither."""
    text = _NOTHING.sub("", end)
    if _FAILED.search(text):
        return "failed"
    return "passed" if _PASSED.search(text) else ""


def _unread(rows: Frame, verdicts: Frame) -> Frame | None:
    """Return the unpaid attempts whose log passed, where the other logs agree with the reward."""
    is_paid = rows["reward"] >= rows["reward"].max()
    is_unpaid, passed = rows["reward"] <= rows["reward"].min(), verdicts == "passed"
    failed, unread = rows[verdicts == "failed"], rows[passed & is_unpaid]
    if min(len(failed), int((passed & is_paid).sum())) < _MIN_ROWS or len(unread) < max(_MIN_ROWS, _SHARE * len(rows)):
        return None
    agrees = is_unpaid[failed.index].mean() >= _AGREE and passed[is_paid].mean() >= _AGREE
    return unread if agrees and unread["problem_id"].nunique() >= _MIN_PROBLEMS else None
