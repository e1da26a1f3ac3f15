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
    for name in map(str, extras.columns):
        if not _NAMED.search(name) or (extras.groupby(problems.to_numpy())[name].nunique() > 1).any():
            continue
        for place, (answer, gold) in enumerate(zip(answers, extras[name], strict=True)):
            if answer and isinstance(gold, str | float) and gold == gold and 0 < len(str(gold)) <= _MAX_CHARS:
                found[place] = float(_same(answer, str(gold)))
        return found
    return found


def _same(answer: str, gold: str) -> bool:
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
