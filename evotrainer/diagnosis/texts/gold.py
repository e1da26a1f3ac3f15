"""Whether an attempt ends with the gold answer, where rows hold it in a column of its own."""

import re
from collections.abc import Sequence

import numpy as np

from evotrainer.evidence.frames import Frame

_NAMED = re.compile(
    r"(?:^|[_.])(?:ground_?truth|gold(?:_?(?:answer|label))?|gts|target|reference(?:_answer)?|expected(?:_answer)?|"
    r"solution|correct_answer|label)$|^answer$",
    re.I,
)
_THOUSANDS = re.compile(r"(?<=\d)[,  '](?=\d{3}(?:\D|$))")
_MAX_CHARS = 40


def is_gold(answers: Sequence[str], extras: Frame, problems: Frame) -> np.ndarray:
    """Return for each attempt 1 or 0 where its answer and the gold one are known; NaN elsewhere."""
    found = np.full(len(answers), np.nan)
    name = gold_column(extras, problems)
    if name:
        for place, (answer, gold) in enumerate(zip(answers, extras[name], strict=True)):
            if answer and is_short(gold):
                found[place] = float(is_same(answer, str(gold)))
    return found


def gold_column(extras: Frame, problems: Frame, prefix: str = "") -> str:
    """Return the column with this prefix whose name says gold answer and that has one value a problem; else nothing."""
    for name in map(str, extras.columns):
        is_named = name.startswith(prefix) and _NAMED.search(name.removeprefix(prefix))
        if is_named and not (extras.groupby(problems.to_numpy())[name].nunique() > 1).any():
            return name
    return ""


def is_short(gold: object) -> bool:
    """Tell whether a gold answer is known, and short enough to be compared with the end of a text."""
    return isinstance(gold, str | float) and gold == gold and 0 < len(str(gold)) <= _MAX_CHARS


def is_same(answer: str, gold: str) -> bool:
    """Tell whether two answers are the same number, or the same words without case."""
    one, other = _plain(answer), _plain(gold)
    if one == other:
        return True
    try:
        return abs(float(one) - float(other)) <= 1e-9 * max(1.0, abs(float(other)))
    except ValueError:
        return False


def _plain(text: str) -> str:
    return without_thousands(text.strip().strip("$€£%. ").lower())


def without_thousands(text: str) -> str:
    """Return a text without the signs that part thousands."""
    return _THOUSANDS.sub("", text)
