"""A grader that compares how much came back, or its edge, and not what: other results of the same size are paid.

Two columns hold what an attempt returned and what was wanted: one has a value for each problem, the other changes, and
where both agree attempts are paid. Results differ where half of the wanted values are missing, in whatever order, form
or company they stand. Then nearly all that have as many rows, or the same first or last row, are paid, and hardly any
others. A sound grader that reads other forms of a result still meets wrong ones of the same size, and leaves them
unpaid. One that gives part of the reward for a result of any kind is not judged, as the greatest reward is looked at.
"""

import ast
import re
from collections.abc import Callable, Iterator

import pandas as pd
import scipy

from evotrainer.diagnosis.context import Context, Diagnosis
from evotrainer.diagnosis.hookspecs import hookimpl
from evotrainer.diagnosis.texts import EXTRA_PREFIX
from evotrainer.diagnosis.texts.own_words import VALUE_CHARS
from evotrainer.evidence.frames import Frame
from evotrainer.records import Finding

NEEDS = {"weak_verifier": ("extra", "reward")}

_MIN_PAID, _MIN_PROBLEMS, _MIN_OTHERS, _MIN_WANTED = 12, 5, 8, 5
_NEARLY_ALL, _HARDLY, _AGREE, _CONSTANT = 0.9, 0.1, 0.1, 0.95
_VALUE = re.compile(r"-?\d+(?:\.\d+)?|[^\W\d_]+")
_FAILED = re.compile(r"\w*(?:Error|Exception)\b|traceback|timed? ?out|none\Z|null\Z|nan\Z", re.I)
_WORDS = re.compile(r"[a-z]{3,}")


@hookimpl
def diagnose(context: Context) -> Diagnosis:
    """Warn of the first pair of columns that are compared by their size alone."""
    rows = context.unequally_paid
    names = [str(name) for name in rows.columns if str(name).startswith(EXTRA_PREFIX)]
    for got, wanted in _pairs(rows, names):
        found = _judge(context, rows, got, wanted)
        if found:
            return Diagnosis(findings=found)
    return Diagnosis()


def _pairs(rows: Frame, names: list[str]) -> Iterator[tuple[str, str]]:
    """Yield (what came back, what was wanted): columns whose names share a word."""
    texts = [name for name in names if rows[name].map(lambda value: isinstance(value, str)).all()]
    if len(texts) < 2:
        return
    several = {name: rows.groupby("problem_id")[name].nunique() > 1 for name in texts}
    constant = [name for name in texts if several[name].mean() <= 1 - _CONSTANT and rows[name].nunique() >= _MIN_WANTED]
    for wanted in constant:
        for got in texts:
            if got not in constant and _words(got) & _words(wanted):
                yield got, wanted


def _words(name: str) -> set[str]:
    return set(_WORDS.findall(name.removeprefix(EXTRA_PREFIX).lower()))


def _judge(context: Context, rows: Frame, got: str, wanted: str) -> list[Finding]:
    is_whole = (rows[got].str.len() < VALUE_CHARS) & (rows[wanted].str.len() < VALUE_CHARS)
    rows = rows[is_whole & ~rows[wanted].map(_has_failed)]
    pairs = list(zip(rows[got], rows[wanted], strict=True))
    missing = pd.Series([_missing(*pair) for pair in pairs], index=rows.index, dtype=float)
    is_paid = rows["reward"] >= context.graded["reward"].max()
    agree = pd.Series([_values(one) == _values(other) for one, other in pairs], index=rows.index, dtype=bool)
    differ = missing >= 0.5
    if agree.mean() < _AGREE or is_paid[agree].mean() < _NEARLY_ALL:
        return []
    for what, coarse in _COARSE.items():
        alike = [coarse(one) == coarse(other) and not _has_failed(one) for one, other in pairs]
        is_alike = pd.Series(alike, index=rows.index, dtype=bool)
        hit, others = differ & is_alike, ~is_alike
        paid = rows[hit & is_paid]
        if len(paid) < _MIN_PAID or paid["problem_id"].nunique() < _MIN_PROBLEMS or others.sum() < _MIN_OTHERS:
            continue
        shares = float(is_paid[hit].mean()), float(is_paid[others].mean())
        table = [[int(is_paid[part].sum()), int((~is_paid[part]).sum())] for part in (hit, others)]
        chance = float(scipy.stats.fisher_exact(table, alternative="greater").pvalue)
        if shares[0] < _NEARLY_ALL or shares[1] > _HARDLY or chance > context.thresholds.alpha:
            continue
        names = [name.removeprefix(EXTRA_PREFIX) for name in (got, wanted)]
        message = (
            f"where `{names[0]}` holds other values than `{names[1]}` but {what} ({paid[got].iloc[0]!r} for "
            f"{paid[wanted].iloc[0]!r}), {shares[0]:.0%} of {int(hit.sum())} attempts are paid in full, of others "
            f"{shares[1]:.0%}: the grader does not compare what came back"
        )
        numbers = {"attempts": int(hit.sum()), "alike": shares[0], "others": shares[1]}
        return [context.finding("weak_verifier", "warning", message, numbers, ("alpha",), paid)]
    return []


def _has_failed(text: str) -> bool:
    return not text.strip() or _FAILED.match(text.strip()) is not None


def _missing(got: str, wanted: str) -> float:
    """Return the share of the wanted values that did not come back."""
    values, given = _values(wanted), _values(got)
    return sum(value not in given for value in values) / max(len(values), 1)


def _values(text: str) -> set[str]:
    found = _VALUE.findall(text.lower())
    return {f"{float(one):.3g}" if one[-1].isdigit() else one for one in found}


def _rows(text: str) -> list[str]:
    """Return the rows of a result: the parts of a list, else its lines."""
    try:
        value = ast.literal_eval(text)
    except (SyntaxError, ValueError, MemoryError, RecursionError):
        value = None
    if isinstance(value, list | tuple | set | dict):
        return [str(one) for one in value]
    return [line for line in text.splitlines() if line.strip()]


_COARSE: dict[str, Callable[[str], object]] = {
    "as many rows": lambda text: len(_rows(text)),
    "the same first row": lambda text: _rows(text)[:1],
    "the same last row": lambda text: _rows(text)[-1:],
}
"""What is alike -> what is left of a result."""
