"""A grader that reads a piece of the answer, 5 of 5,12, 1 of 1 200, 2/3 of 6 2/3, or the first of several marks.

A column that holds the answer as the grader read it equals, at most attempts, the answer that the text ends with. Where
it is not that, and nearly always the number up to a comma, a space or a sign within it, or ends within a bracket as
\\frac{3 does, the reader cuts answers there. Where it is nearly always what an earlier mark holds, a step of the
working is read as the answer. Where it is the first letter of the words before the answer, as the A of `Antwort: C`,
and the answer is another letter, a key word is read as an option. Words left out, as a unit or a remark, are no fault.
"""

import re

import pandas as pd

from evotrainer.diagnosis.context import Context, Diagnosis
from evotrainer.diagnosis.hookspecs import hookimpl
from evotrainer.diagnosis.texts import EXTRA_PREFIX
from evotrainer.diagnosis.texts.answer_marks import lead_of
from evotrainer.diagnosis.texts.gold import is_same, without_latex
from evotrainer.evidence.frames import Frame

NEEDS = {"metric_defect": ("num_chars", "extra")}

_KNOWN, _SAME, _TOLD = 0.8, 0.3, 0.95
"""Shares of attempts whose column and text hold an answer; those of them that are the same; the same or a piece."""
_READ, _SAME_NAMED = re.compile(r"pars|pred|extract|answer|read", re.I), 0.03
"""Names of what a grader read, and the share that is the same from which such a column holds answers."""
_SHARE, _MIN_PROBLEMS = 0.05, 5
_REST = re.compile(r"[.,:/^e'×*\s]\s?-?\d", re.I)
_LEAD = re.compile(r"\A[^\d-]+(?=-?\d)")
_FRONT = re.compile(r"\d\s?['’.,*×\s]\Z")
_LETTER = re.compile(r"[A-J]", re.I)
"""An option of multiple choice."""
_NUMBER = re.compile(r"-?\d+(?:\.\d+|/\d+)?")
_CAUSES = {
    "piece": "cuts answers",
    "first": "takes the first of several marks",
    "lead": "takes a letter of the words before it",
}


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
        first, label = pieces.iloc[0], name.removeprefix(EXTRA_PREFIX)
        message = (
            f"{label} is the answer of the text in other attempts, and not in {len(pieces)} of {len(known)}, as "
            f"{first[name]} of {first['written_answer']!r}: the reader {_CAUSES[first['kind']]}"
        )
        numbers = {"share": len(pieces) / len(known)}
        return Diagnosis(findings=[context.finding("metric_defect", "warning", message, numbers, (), pieces)])
    return Diagnosis()


def _pieces(known: Frame, name: str) -> Frame | None:
    """Return the attempts whose column holds something less than their answer; None where it holds no answers."""
    lines = known["answer_line"] if "answer_line" in known else pd.Series("", index=known.index)
    columns = (known[name].map(str), known["written_answer"], known["first_marked"], lines)
    read = pd.Series(list(zip(*columns, strict=True)), index=known.index)
    met = {values: _kind(*values) for values in read.unique()}
    known = known.assign(kind=read.map(met))
    shares = known["kind"].value_counts(normalize=True)
    usual = max(_CAUSES, key=lambda kind: shares.get(kind, 0.0))
    same, less = float(shares.get("same", 0.0)), float(shares.get(usual, 0.0))
    enough = _SAME_NAMED if _READ.search(name) else _SAME
    return known[known["kind"] == usual] if same >= enough and same + less >= _TOLD and less >= _SHARE else None


def _kind(read: str, answer: str, first_marked: str, line: str) -> str:
    """Return whether what was read is the answer, an earlier mark's, a letter before it, a piece of it, or other."""
    answer = _LEAD.sub("", without_latex(answer))
    if is_same(read, answer):
        return "same"
    if read.count("{") > read.count("}"):
        return "piece"
    if first_marked and is_same(read, first_marked):
        return "first"
    if _LETTER.fullmatch(read) and _LETTER.fullmatch(answer) and lead_of(line)[:1] == read.casefold():
        return "lead"
    number = read.removesuffix(".0")
    if not _NUMBER.fullmatch(number):
        return ""
    rest, front = answer.removeprefix(number), answer.removesuffix(number)
    is_cut = rest != answer and _REST.match(rest) is not None
    is_end = front != answer and _FRONT.search(front) is not None
    return "piece" if is_cut or is_end or answer == f"-{number}" else ""
