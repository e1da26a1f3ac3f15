"""A grader that asks for one of several values: attempts that give a part of the gold answer are paid in full.

The gold answer is a list of numbers, as both roots of an equation. Answers in a mark are compared with it as sets: all
of its values and no other, some of them (and perhaps wrong ones beside), or none. Where some are enough for full pay,
and none hardly ever is, the grader compares value by value and not the whole. Where hardly anyone gives all values they
may be alternatives, which is not judged.
"""

import re

import scipy

from evotrainer.diagnosis.context import Context, Diagnosis
from evotrainer.diagnosis.hookspecs import hookimpl
from evotrainer.diagnosis.texts import EXTRA_PREFIX
from evotrainer.diagnosis.texts.gold import gold_column, without_latex, without_thousands

NEEDS = {"weak_verifier": ("gold", "reward")}

_NAME = re.compile(r"(?<![^\W\d_])[^\W\d_](?:_?\{?\d\}?)?\s*=")
_NUMBER = re.compile(r"[-+]?\d+(?:[./]\d+)?")
_BESIDE = re.compile(r"(?:[\s,;&|{}\[\]()$\\]|\b(?!to\b|by\b)[^\W\d_]{1,4}\b)*")
"""What stands between the values of a list: brackets, and a short word as `and`, in any language."""
_MIN_CASES, _MIN_PROBLEMS, _MIN_OTHERS, _MIN_WHOLE = 8, 5, 20, 8
_MOSTLY, _HARDLY = 0.6, 0.1


@hookimpl
def diagnose(context: Context) -> Diagnosis:
    """Warn where a part of the gold values is paid in full."""
    rows = context.unequally_paid
    name = gold_column(rows, rows["problem_id"], EXTRA_PREFIX) if len(rows) else ""
    if not name:
        return Diagnosis()
    rows = rows[rows["is_marked"].astype(bool) & ~rows["is_truncated"].astype(bool) & rows[name].notna()]
    pairs = zip(rows["written_answer"].astype(str), rows[name].astype(str), strict=True)
    rows = rows.assign(_share=[_kind(*pair) for pair in pairs])
    is_paid = rows["reward"] >= context.graded["reward"].max()
    part, none = rows["_share"] == "part", rows["_share"] == "none"
    cases, whole = rows[part & is_paid], rows[(rows["_share"] == "whole") & is_paid]
    if len(cases) < _MIN_CASES or cases["problem_id"].nunique() < _MIN_PROBLEMS:
        return Diagnosis()
    if none.sum() < _MIN_OTHERS or len(whole) < _MIN_WHOLE:
        return Diagnosis()
    shares = float(is_paid[part].mean()), float(is_paid[none].mean())
    table = [[int((is_paid[which] == value).sum()) for value in (True, False)] for which in (part, none)]
    chance = float(scipy.stats.fisher_exact(table, alternative="greater").pvalue)
    if shares[0] < _MOSTLY or shares[1] > _HARDLY or chance >= context.thresholds.alpha:
        return Diagnosis()
    message = (
        f"of {int(part.sum())} attempts that give some values of a gold answer of several "
        f"({cases['written_answer'].iloc[0]} for {cases[name].iloc[0]}), {shares[0]:.0%} are paid in full, as those "
        f"that give all; of those that give none, {shares[1]:.0%}: let the grader compare the whole answer"
    )
    numbers = {"part": shares[0], "none": shares[1]}
    return Diagnosis(findings=[context.finding("weak_verifier", "warning", message, numbers, ("alpha",), cases)])


def _kind(answer: str, gold: str) -> str:
    """Return whether an answer holds the whole of several gold values, a part, or none; nothing for other texts."""
    given, wanted = _values(answer), _values(gold)
    if len(wanted) < 2 or not given:
        return ""
    return "whole" if given == wanted else "part" if given & wanted else "none"


def _values(text: str) -> frozenset[str]:
    """Return the numbers of a list of numbers; nothing for another text."""
    text = _NAME.sub(" ", without_thousands(without_latex(text)))
    if "±" in text or "\\pm" in text or not _BESIDE.fullmatch(_NUMBER.sub(" ", text)):
        return frozenset()
    return frozenset(one.lstrip("+") for one in _NUMBER.findall(text))
