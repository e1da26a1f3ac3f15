"""Whether an attempt ends with the gold answer, where rows hold it in a column of its own.

A number has as many readings as there are ways of writing it: 1,234 is a thousand and more, or one and a bit.
"""

import math
import re
from collections.abc import Mapping, Sequence
from fractions import Fraction

import numpy as np

from evotrainer.evidence.frames import Frame

_NAMED = re.compile(
    r"(?:^|[_.])(?:ground_?truth|gold(?:_?(?:answer|label))?|gts|target|reference(?:_answer)?|expected(?:_answer)?|"
    r"solution|correct_answer|label|(?:possible|accept(?:able|ed)|valid)_answers?)$|^(?:(?:extra_)?info\.|meta(?:data)?\.)?answer$",
    re.I,
)
_THOUSANDS = re.compile(r"(?<=\d)[,  '](?=\d{3}(?:\D|$))")
_DECIMAL_COMMA = re.compile(r"-?(?:\d+|\d{1,3}(?:[.\s']\d{3})+),\d+")
_NUMERIC = re.compile(r"-?\d{2,}(?:\.\d+)?")
_WORD = re.compile(r"\w+")
_WORDS = re.compile(r"(?=.{5})[^\W\d_].*")
"""A gold answer of words that no text holds by chance."""
_DECIMAL = re.compile(r"-?\d+(?:\.\d+)?")
_DOTTED = re.compile(r"-?\d{1,3}(?:\.\d{3})+")
_TEXT = re.compile(r"\\(?:text|mathrm|mathbf|textbf)\{([^{}]*)\}")
_FRACTION = re.compile(r"(\d?)\s*\\[dt]?frac\{(\d+)\}\{(\d+)\}")
_UNIT = re.compile(r"(?<=\d)(?:\s[^\W\d_]{1,12}|\s?[\u3040-\u30ff\u4e00-\u9fff]{1,4})$")
_UNKNOWN = re.compile(r"^[^\W\d_](?:_?\d)?\s*=\s*(?=\S)")
"""The name of an unknown before its value: x = 7."""
_RATIO = re.compile(r"(-?\d+)\s?/\s?(\d+)")
_ONE_NUMBER = re.compile(r"-?\d+(?:\.\d+)?(?:/[1-9]\d*)?")
_MAX_CHARS = 40
_MANTISSA = 0.02
"""Distance of decimal logarithms below which two numbers differ by their unit alone, as 0.5 and 50 do."""
_CLASHES = 0.05
"""Share of problems that may have several gold answers: those asked in the words of another."""


def is_gold(answers: Sequence[str], extras: Frame, problems: Frame) -> np.ndarray:
    """Return for each attempt 1 or 0 where its answer and the gold one are known; NaN elsewhere."""
    found = np.full(len(answers), np.nan)
    name = gold_column(extras, problems)
    if name:
        is_one = extras.groupby(problems.to_numpy())[name].transform("nunique").to_numpy() <= 1
        for place, (answer, gold) in enumerate(zip(answers, extras[name], strict=True)):
            if answer and is_one[place] and is_short(gold):
                found[place] = float(is_same(answer, str(gold)))
    return found


def named_gold(extra: Mapping[str, object]) -> str:
    """Return the short gold answer that a row holds under a name of one; a column `answer` may be the attempt's own."""
    named = [(_is_answer(name), str(value)) for name, value in extra.items() if _NAMED.search(name) and is_short(value)]
    return min(named, key=lambda one: one[0], default=(False, ""))[1].strip()


def mentions_gold(extra: Mapping[str, object], texts: Sequence[str]) -> bool:
    """Tell whether the gold answer of a row, a number of two figures or words of some length, stands in texts."""
    gold = named_gold(extra)
    if _NUMERIC.fullmatch(gold):
        sought = re.compile(rf"(?<![\d.,]){re.escape(gold)}(?![\d]|[.,]\d)")
        return any(gold in text and sought.search(text) is not None for text in texts)
    if not _WORDS.fullmatch(gold):
        return False
    sought = re.compile(rf"(?<!\w){re.escape(gold)}(?!\w)", re.I)
    return any(sought.search(text) is not None for text in texts)


def is_part(answer: str, gold: str) -> bool:
    """Tell whether all words of one answer stand in the other: another name of the same, or a sentence around it."""
    ones, others = (set(_WORD.findall(text.casefold())) for text in (answer, gold))
    return ones <= others or others <= ones


def gold_error(answers: Sequence[str], extras: Frame, problems: Frame) -> np.ndarray:
    """Return how far each attempt's answer is from the gold one, as a share of the larger; NaN where that says nothing.

    Both must be plain numbers. Numbers that differ by sign or unit alone are not compared.
    """
    found = np.full(len(answers), np.nan)
    name = gold_column(extras, problems)
    if name:
        is_one = extras.groupby(problems.to_numpy())[name].transform("nunique").to_numpy() <= 1
        for place, (answer, gold) in enumerate(zip(answers, extras[name], strict=True)):
            if answer and is_one[place] and is_short(gold):
                found[place] = 0.0 if is_same(answer, str(gold)) else _error(_readings(answer), _readings(str(gold)))
    return found


def gold_column(extras: Frame, problems: Frame, prefix: str = "") -> str:
    """Return the column with this prefix whose name says gold answer and that has one value a problem; else nothing.

    Two problems may be asked in the same words. So few may have two values, though not of `answer`, which may be the
    attempt's own.
    """
    for name in map(str, extras.columns):
        own = name.removeprefix(prefix)
        if not name.startswith(prefix) or not _NAMED.search(own):
            continue
        has_several = extras.groupby(problems.to_numpy())[name].nunique() > 1
        if has_several.mean() <= (0.0 if _is_answer(own) else _CLASHES):
            return name
    return ""


def _is_answer(name: str) -> bool:
    """Tell whether a column is named `answer` alone, which may be the attempt's own."""
    return name.rpartition(".")[2].lower() == "answer"


def is_gold_name(name: str) -> bool:
    """Tell whether a column's name says that it holds gold answers."""
    return _NAMED.search(name) is not None


def is_short(gold: object) -> bool:
    """Tell whether a gold answer is known, and short enough to be compared with the end of a text."""
    return isinstance(gold, str | float) and gold == gold and 0 < len(str(gold)) <= _MAX_CHARS


def is_same(answer: str, gold: str) -> bool:
    """Tell whether two answers can be read as the same number, or are the same words without case."""
    if _bare(answer) == _bare(gold):
        return True
    ratios = [_RATIO.fullmatch(_bare(text)) for text in (answer, gold)]
    if ratios[0] and ratios[1]:  # lowest terms may be asked for
        return ratios[0].groups() == ratios[1].groups()
    known = _readings(gold)
    return any(abs(one - other) <= 1e-9 * max(1.0, abs(other)) for one in _readings(answer) for other in known)


def plain_number(text: object) -> float:
    """Return the number that a short answer is, with its unit's sign or without; NaN for another one."""
    values = _readings(str(text)) if is_short(text) else []
    return values[0] if values else math.nan


def answer_key(text: object) -> str:
    """Return what is equal for answers that are the same number, or the same words without case."""
    number = plain_number(text)
    return str(text).strip().casefold() if math.isnan(number) else f"{number:.9g}"


def number_of(answer: str) -> float:
    """Return the one number of a short answer; NaN for another text."""
    found = _ONE_NUMBER.findall(without_thousands(answer))
    if len(found) != 1:
        return math.nan
    return float(Fraction(found[0])) / (100 if "%" in answer else 1)


def is_written_otherwise(answer: str, gold: str) -> bool:
    """Tell whether two answers are the same in another way of writing: 1.250 or 1,250 for 1250, a box of text for D."""
    return _plain(answer) != _plain(gold) and is_same(answer, gold)


def _plain(text: str) -> str:
    return text.strip().strip("$€£%. ").lower()


def _error(ones: Sequence[float], others: Sequence[float]) -> float:
    pairs = [(one, other) for one in ones for other in others]
    if not pairs or any(_differ_by_unit(one, other) for one, other in pairs):
        return math.nan
    return min(abs(one - other) / max(abs(one), abs(other)) for one, other in pairs)


def _differ_by_unit(one: float, other: float) -> bool:
    if one == 0 or other == 0:
        return False
    decades = math.log10(abs(one)) - math.log10(abs(other))
    return abs(decades - round(decades)) < _MANTISSA and (round(decades) != 0 or one * other < 0)


def _readings(text: str) -> list[float]:
    """Return the numbers that a text may stand for; none for another text."""
    bare = _bare(text)
    written = [bare]
    if _DECIMAL_COMMA.fullmatch(_stripped(text)):
        written.append(re.sub(r"[.\s']", "", _stripped(text)).replace(",", "."))
    if _DOTTED.fullmatch(bare):
        written.append(bare.replace(".", ""))
    found = _shares(text, bare)
    for one in written:
        try:
            found.append(float(one))
        except ValueError:
            continue
    return [value for value in found if math.isfinite(value)]


def _shares(text: str, bare: str) -> list[float]:
    """Return the number that a fraction or a percentage is."""
    ratio = _RATIO.fullmatch(bare)
    if ratio and int(ratio[2]):
        return [int(ratio[1]) / int(ratio[2])]
    is_percentage = text.strip().rstrip("}$. ").endswith("%")
    return [float(bare) / 100] if is_percentage and _DECIMAL.fullmatch(bare) else []


def _bare(text: str) -> str:
    return without_thousands(_stripped(text))


def _stripped(text: str) -> str:
    """Return a short answer without the sign or the word of its unit, and without LaTeX."""
    return _UNIT.sub("", _UNKNOWN.sub("", without_latex(text).strip().strip("$€£%. \\").lower()))


def without_latex(text: str) -> str:
    """Return a text with a fraction of LaTeX as 2/3, a mixed one as 1 2/3, and its words in a box of text bare."""
    if "\\" not in text:
        return text
    text = _FRACTION.sub(lambda found: " ".join(filter(None, (found[1], f"{found[2]}/{found[3]}"))), text)
    return _TEXT.sub(r"\1", text)


def without_thousands(text: str) -> str:
    """Return a text without the signs that part thousands."""
    return _THOUSANDS.sub("", text)
