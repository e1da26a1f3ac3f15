"""A grader that reads only a piece of the answer: 5 of 5,12, 1 of 1 200, 3 of 3/4.

A column that holds the answer as the grader read it equals, at most attempts, the answer that the text ends with. Where
it is not that, and nearly always the number up to a comma, a space or a sign within it, the reader cuts numbers there.
Words left out, as a unit or a remark, are no fault.
"""

import re

import pandas as pd

from evotrainer.diagnosis.context import Context, Diagnosis
from evotrainer.diagnosis.hookspecs import hookimpl
from evotrainer.diagnosis.texts import EXTRA_PREFIX
from evotrainer.diagnosis.texts.gold import is_same
from evotrainer.evidence.frames import Frame

NEEDS = {"answer_reading": ("num_chars", "extra")}

_KNOWN, _SAME, _TOLD = 0.8, 0.3, 0.95
"""Shares of attempts whose column and text hold an answer; those of them that are the same; the same or a piece."""
_SHARE, _MIN_PROBLEMS = 0.05, 5
_REST = re.compile(r"[.,:/^e'×*\s]\s?-?\d", re.I)
_NUMBER = re.compile(r"-?\d+(?:\.\d+)?")


@hookimpl
def diagnose(context: Context) -> Diagnosis:
    """Warn of the first column that holds pieces of answers."""
    rows = context.with_texts(context.graded)
    if len(rows) < context.thresholds.min_rows:
        return Diagnosis()
    names = [name for name in map(str, rows.columns) if name.startswith(EXTRA_PREFIX)]
    for name in [*names, "final_answer"]:
        known = rows[rows[name].notna() & (rows["written_answer"] != "") & ~rows["is_truncated"].astype(bool)]
        known = known[known[name] != ""]
        if len(known) < _KNOWN * len(rows):
            continue
        pieces = _pieces(known, name)
        if pieces is None or pieces["problem_id"].nunique() < _MIN_PROBLEMS:
            continue
        first = pieces.iloc[0]
        message = (
            f"{name.removeprefix(EXTRA_PREFIX)} is the answer of the text in other attempts, and only a piece of it in "
            f"{len(pieces)} of {len(known)}, as {first[name]} of {first['written_answer']!r}: the reader cuts numbers"
        )
        numbers = {"share": len(pieces) / len(known)}
        return Diagnosis(findings=[context.finding("answer_reading", "warning", message, numbers, (), pieces)])
    return Diagnosis()


def _pieces(known: Frame, name: str) -> Frame | None:
    """Return the attempts whose column holds a piece of their answer; None where the column holds no answers."""
    pairs = pd.Series(list(zip(known[name].map(str), known["written_answer"], strict=True)), index=known.index)
    met = {pair: _kind(*pair) for pair in pairs.unique()}
    kinds = pairs.map(met)
    same, pieces = float((kinds == "same").mean()), float((kinds == "piece").mean())
    is_reading = same >= _SAME and same + pieces >= _TOLD and pieces >= _SHARE
    return known[kinds == "piece"] if is_reading else None


def _kind(read: str, answer: str) -> str:
    """Return whether what was read is the same as the answer, a piece of its number, or something else."""
    if is_same(read, answer):
        return "same"
    number = read.removesuffix(".0")
    if not _NUMBER.fullmatch(number):
        return ""
    rest = answer.removeprefix(number)
    is_cut = rest != answer and _REST.match(rest) is not None
    return "piece" if is_cut or answer == f"-{number}" else ""
