"""Answers in a form in which they can be compared: what differs only in how it is written is equal.

Case, quotes, LaTeX, units, number words, `True`, thousands, percent, a trailing stop. Distinct texts are normalised,
not rows. Long texts keep their words: nothing but space and case is taken from them.
"""

import re
from functools import lru_cache

MAX_SHORT = 120
"""Characters up to which a text is an answer, not a solution."""
_NUMERALS = (
    "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen "
    "eighteen nineteen twenty"
)
_WORDS = {word: str(number) for number, word in enumerate(_NUMERALS.split())}
_FRACTION = re.compile(r"\\[dt]?frac\s*\{?([^{}]+?)\}?\s*\{?([^{}]+?)\}")
_WRAPPED = re.compile(r"\\(?:text|mathrm|mathbf|textbf|boxed|operatorname|mbox)\s*\{([^{}]*)\}")
_LATEX = re.compile(r"\\(?:left|right|displaystyle|,|;|!|:| |quad)|\\?[$]|\\[()\[\]]|[*`]|\^\{?\\circ\}?|°")
_THOUSANDS = re.compile(r"(?<=\d)[,_' \u202f](?=\d{3}(?:\D|$))")
_NUMBER = re.compile(r"[-+]?(?:\d+\.?\d*|\.\d+)(?:e[-+]?\d+)?")
_UNIT = re.compile(r"^([-+]?\d[\d.]*(?:/\d+)?)\s*(?:[a-zµ\\][a-zµ²³/^0-9{}]*\.?|[%€£])(?:\s+[a-z]+){0,2}$")
_NAMED = re.compile(r"^[a-z]\w{0,2}\s*=\s*(?=\S)")
_OPTION = re.compile(r"^\(?([a-j])[).:](?:\s.*)?$")


@lru_cache(maxsize=200_000)
def normal(text: str) -> str:
    """Return the form of an answer that equal answers share; empty for none."""
    plain = " ".join(text.split()).lower()
    if len(plain) > MAX_SHORT:
        return plain
    for pattern, replaced in ((_FRACTION, r"\1/\2"), (_WRAPPED, r"\1"), (_LATEX, ""), (_THOUSANDS, "")):
        plain = pattern.sub(replaced, plain)
    plain = _NAMED.sub("", plain.strip().strip("\"'“”‘’«» ").rstrip(".").strip())
    if option := _OPTION.match(plain):
        return option.group(1)
    plain = _WORDS.get(plain, plain)
    if unit := _UNIT.match(plain):
        plain = unit.group(1)
    return _as_number(plain) or re.sub(r"\s+", "", plain)


def _as_number(text: str) -> str:
    if not _NUMBER.fullmatch(text):
        return ""
    number = float(text)
    return f"{number:.10g}" if abs(number) < 1e300 else ""


def number_of(text: str) -> float | None:
    """Return the number that a normal form is; None for another text."""
    return float(text) if _NUMBER.fullmatch(text) else None


@lru_cache(maxsize=50_000)
def relation(answer: str, gold: str) -> str:
    """Return how an answer stands to its gold answer, both as they were written.

    equal: word for word. form: once both are in the normal form. near: as numbers up to rounding. ends: a longer text
    ends with the gold answer. contains: the gold answer stands in it. other: none of these.
    """
    if answer == gold:
        return "equal"
    first, second = normal(answer), normal(gold)
    if first == second:
        return "form"
    left, right = number_of(first), number_of(second)
    if left is not None and right is not None:
        return "near" if abs(left - right) <= 0.01 * max(abs(left), abs(right)) else "other"
    if second and _ends(answer, second):
        return "ends"
    if second and re.search(rf"(?<![\w.]){re.escape(second)}(?![\w.]*\w)", _spaced(answer)):
        return "contains"
    return "other"


def _spaced(text: str) -> str:
    return _LATEX.sub("", _THOUSANDS.sub("", " ".join(text.split()).lower()))


def _ends(text: str, gold: str) -> bool:
    """Tell whether a text ends with its gold answer, or holds one number, which it is."""
    plain = _spaced(text).rstrip(" .!?`)]}\\\"'")
    if len(plain) <= MAX_SHORT and _NUMBER.findall(plain) == [gold]:
        return True
    start = len(plain) - len(gold)
    return start > 0 and plain.endswith(gold) and not (plain[start - 1].isalnum() or plain[start - 1] in ".-/")
