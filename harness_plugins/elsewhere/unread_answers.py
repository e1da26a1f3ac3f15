"""Right answers of which a grader reads nothing: its column is empty, though the text gives one as others do.

A column that holds the answer as the grader read it equals, where it holds any, the answer that the text ends with.
Where it is empty, the text ends with the gold answer behind the same words, in a mark as others have one, or in the
form that the prompt asks for, and such attempts earn the least, the reader does not know the way of writing: signs
around the answer, a star, a dollar.
"""

import re

from evotrainer.diagnosis.context import Context, Diagnosis
from evotrainer.diagnosis.hookspecs import hookimpl
from evotrainer.diagnosis.texts import EXTRA_PREFIX
from evotrainer.diagnosis.texts.answer_marks import lead_of
from evotrainer.diagnosis.texts.gold import gold_column, is_same, is_short
from evotrainer.evidence.frames import Frame
from evotrainer.records import Finding

NEEDS = {"metric_defect": ("gold", "reward", "extra")}

_READ = re.compile(r"pars|pred|extract|answer|read|filtered|choice", re.I)
_EMPTY = re.compile(r"\W*(?:none|null|nan|n/?a|invalid|unknown|no[ _-]?answer|not[ _-]?found|unparsed)?\W*", re.I)
_SAME, _MIN_READ = 0.8, 20
"""Share of the read answers that are those of the text, and how many must be."""
_MIN_ROWS, _MIN_PROBLEMS, _SHARE, _UNPAID = 12, 5, 0.03, 0.95
_MARK = "a mark"


@hookimpl
def diagnose(context: Context) -> Diagnosis:
    """Return a finding for the first column that is empty where texts give the gold answer."""
    rows = context.unequally_paid
    gold = gold_column(rows, rows["problem_id"], EXTRA_PREFIX) if len(rows) else ""
    if not gold:
        return Diagnosis()
    rows = rows[~rows["is_truncated"].astype(bool) & (rows["written_answer"] != "") & rows[gold].map(is_short)]
    named = [name for name in map(str, rows.columns) if name.startswith(EXTRA_PREFIX) and name != gold]
    for name in ["final_answer", *(name for name in named if _READ.search(name.removeprefix(EXTRA_PREFIX)))]:
        found = _unread(context, rows, name, gold)
        if found:
            return Diagnosis(findings=found)
    return Diagnosis()


def _unread(context: Context, rows: Frame, name: str, gold: str) -> list[Finding]:
    is_empty: Frame = rows[name].isna() | rows[name].map(lambda value: _EMPTY.fullmatch(str(value)) is not None)
    read, silent = rows[~is_empty], rows[is_empty]
    if len(read) < _MIN_READ or len(silent) < max(_MIN_ROWS, _SHARE * len(rows)):
        return []
    same = [is_same(str(one), text) for one, text in zip(read[name], read["written_answer"], strict=True)]
    lead = _leads(read[same]).mode()
    if sum(same) < _SAME * len(read) or lead.empty or not lead.iloc[0]:
        return []
    right = [is_same(text, str(key)) for text, key in zip(silent["written_answer"], silent[gold], strict=True)]
    hit = silent[right]
    hit = hit[(_leads(hit) == lead.iloc[0]) | hit["as_asked"].astype(bool)]
    unpaid = hit[hit["reward"] <= rows["reward"].min()]
    is_enough = len(hit) >= _MIN_ROWS and hit["problem_id"].nunique() >= _MIN_PROBLEMS
    if not is_enough or len(unpaid) < _UNPAID * len(hit):
        return []
    label, shown = name.removeprefix(EXTRA_PREFIX).replace("final_answer", "answer"), hit["answer_line"].mode().iloc[0]
    message = (
        f"`{label}` is the answer of the text in {sum(same)} attempts, and empty in {len(hit)} that give the gold one "
        f"behind the same words, or as asked{f', as {shown!r}' if shown else ''}; {len(unpaid)} of these have the "
        "least reward: the grader cannot read the way they are written"
    )
    numbers = {"unread": len(hit), "read": sum(same), "unpaid": len(unpaid)}
    return [context.finding("metric_defect", "warning", message, numbers, (), hit)]


def _leads(rows: Frame) -> Frame:
    """Return what stands before the answer of each text; of an answer in a mark that it stands in one."""
    return rows["answer_line"].map(lead_of).mask(rows["is_marked"].astype(bool), _MARK)
