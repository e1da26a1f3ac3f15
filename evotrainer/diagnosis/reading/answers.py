"""Columns of answers: what an attempt answers in the end, and how that stands to the gold answer and to other attempts.

The final answer is read from the texts: the last `\\boxed{}`, `<answer>`, `####` or `answer:`, else a short last line.
What a system recorded as the answer (column `answer`) is kept beside it, so that the two can be compared.

Answers are compared in a form in which what differs only in how it is written is equal: case, quotes, LaTeX, units,
number words, `True`, thousands, percent, a trailing stop. Distinct texts are normalised, not rows. Long texts keep
their words: nothing but space and case is taken from them.
"""

import re
from functools import lru_cache
from typing import Any

import numpy as np
import pandas as pd
import pyarrow as pa

from evotrainer.diagnosis.conditions import Conditions, quoted
from evotrainer.evidence.frames import Frame

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
_TAIL = 1500
"""Characters at the end of a text in which its answer is looked for."""
_MARKS = (
    ("contains(tail, '\\boxed{')", r"\\boxed\{((?:[^{}]|\{(?:[^{}]|\{[^{}]*\})*\})*)\}"),
    ("contains(tail, '</answer>')", r"(?s)<answer>(.*?)</answer>"),
    ("contains(tail, '####')", r"####\s*([^\n]+)"),
    ("contains(lower(tail), 'answer')", r"(?i)answer(?: is)?\s*(?:\*\*)?\s*[:=]\s*(?:\*\*)?\s*([^\n]{1,120})"),
    ("contains(lower(tail), 'answer is')", r"(?i)answer is\s*(?:\*\*)?\s*([^\n]{1,120}?)(?:\.?\s*$|\.\s)"),
)
_OF_GOLD = ("gold_is_odd", "gold_in_prompt")
COLUMNS = {
    "final": "what the attempt answers in the end, as its text says it",
    "relation": "of `final` to `gold`: equal, form (equal but for its form), near, ends, contains, other",
    "recorded_differs": "the recorded answer is another one than the text's",
    "is_marked": "the text marks its answer: boxed, tagged, `answer:`",
    "is_numeric": "`final` and `gold` are both numbers",
    "is_other_gold": "`final` is the gold answer of another problem and not of its own",
    "gold_is_odd": "the gold answer is no single well-formed answer: signs run together, a loose end, a missing value",
    "gold_in_prompt": "the prompt holds the gold answer of four characters or more behind the word answer",
    "repeats": "attempts at the same problem with the same `final`, this one included",
    "paid_both_ways": "of attempts with the same `final`, marked as the answer, some are paid and some are not",
    "agreed_share": "share of attempts at the problem that give its commonest `final`",
    "agreed_relation": "of the commonest `final` of the problem to its gold answer",
}
"""Name and meaning of each column."""


def answer_columns(conditions: Conditions) -> dict[str, pa.Array]:
    """Return the columns of answers over all attempts."""
    table = conditions.table
    size = len(table)
    final, is_marked = _finals(conditions)
    gold = _texts(table, "gold")
    problem = np.asarray(table["problem"].to_numpy(zero_copy_only=False), np.int64)
    found: dict[str, Any] = {"final": final, "is_marked": is_marked}
    related = [None if a is None or g is None else relation(a, g) for a, g in zip(final, gold, strict=True)]
    forms = [None if text is None else normal(text) for text in final]
    golds = [None if text is None else normal(text) for text in gold]
    numeric = [
        None if a is None or g is None else number_of(a) is not None and number_of(g) is not None
        for a, g in zip(forms, golds, strict=True)
    ]
    differs = [
        None if a is None or f is None or len(a) > MAX_SHORT else relation(f, a) == "other"
        for a, f in zip(_texts(table, "answer"), final, strict=True)
    ]
    found |= {"relation": related, "is_numeric": numeric, "recorded_differs": differs}
    owners: dict[str, set[int]] = {}
    for form, code in zip(golds, problem.tolist(), strict=True):
        if form:
            owners.setdefault(form, set()).add(code)
    found["is_other_gold"] = [
        None if form is None or own is None else form != own and form in owners
        for form, own in zip(forms, golds, strict=True)
    ]
    marked_forms = [form if mark else None for form, mark in zip(forms, is_marked, strict=True)]
    columns = {name: pa.array(values, size=size) for name, values in found.items()}
    return columns | _agreement(marked_forms, golds, problem, _pay(table)) | _of_gold(conditions)


def _finals(conditions: Conditions) -> tuple[list[str | None], list[bool | None]]:
    """Return the final answer of each attempt, and whether its text marks it."""
    if not conditions.is_known("response"):
        empty: list[Any] = [None] * len(conditions.table)
        return empty, list(empty)
    text = "coalesce(nullif(last, ''), response)" if conditions.is_known("last") else "response"
    tail = f"regexp_replace(right({text}, {_TAIL}), '[\\s`]+$', '')"
    picks = [
        f"CASE WHEN {mark.replace('tail', tail)} THEN regexp_extract_all({tail}, {quoted(pattern)}, 1)[-1] END"
        for mark, pattern in _MARKS
    ]
    line = f"trim(regexp_extract({tail}, '([^\\n]+)\\s*$', 1))"
    chosen, last_line = conditions.evaluate([f"rtrim(trim(coalesce({', '.join(picks)})), '*$.')", line])
    marked, lines = chosen.to_pylist(), last_line.to_pylist()
    final = [mark or (end if end and len(end) <= MAX_SHORT else None) for mark, end in zip(marked, lines, strict=True)]
    return final, [None if end is None else bool(mark) for mark, end in zip(marked, lines, strict=True)]


def _texts(table: pa.Table, name: str) -> list[str | None]:
    """Return a column of texts, blank ones as None."""
    if name not in table.column_names or pa.types.is_null(table[name].type):
        return [None] * len(table)
    column = table[name] if pa.types.is_string(table[name].type) else table[name].cast(pa.string())
    return [text.strip() or None if text else None for text in column.to_pylist()]


def _pay(table: pa.Table) -> list[float | None]:
    """Return outcome or reward of attempts that count: without an error, not cut, and not kept out of the loss."""
    names = [one for one in ("correct", "reward") if table[one].null_count < len(table)]
    if not names:
        return [None] * len(table)
    nothing = [None] * len(table)
    marks = [table[n].to_pylist() if n in table.column_names else nothing for n in ("error", "in_loss", "is_truncated")]
    lost = [error is not None or used is False or cut is True for error, used, cut in zip(*marks, strict=True)]
    return [
        None if is_lost else one
        for one, is_lost in zip(table[names[0]].cast(pa.float64()).to_pylist(), lost, strict=True)
    ]


def _agreement(
    forms: list[str | None], golds: list[str | None], problem: np.ndarray, pay: list[float | None]
) -> dict[str, pa.Array]:
    """Return how attempts at one problem agree, and whether equal answers are paid alike."""
    rows: Frame = pd.DataFrame(
        {"problem": problem, "form": [one or None for one in forms], "pay": np.array(pay, float)}
    )
    paid = rows.groupby(["problem", "form"])["pay"]
    repeats, least, most = (paid.transform(name) for name in ("size", "min", "max"))
    low, high = rows["pay"].min(), rows["pay"].max()
    both = (least <= 0.75 * low + 0.25 * high) & (most > 0.25 * low + 0.75 * high)
    is_judged = (repeats > 1) & least.notna() & (rows["pay"].nunique() <= 2)
    votes, total = (repeats.groupby(rows["problem"]).transform(name) for name in ("max", "count"))
    best = dict(zip(problem[repeats == votes][::-1], rows["form"][repeats == votes][::-1], strict=True))
    gold_of = {code: gold for code, gold in zip(problem, golds, strict=True) if gold}
    relation_of = {code: relation(form, gold_of[code]) for code, form in best.items() if code in gold_of}
    related = [relation_of.get(code) if several else None for code, several in zip(problem, total > 1, strict=True)]
    return {
        "repeats": pa.array(repeats.astype("Int64")),
        "paid_both_ways": pa.array(both.to_numpy(), mask=~is_judged.to_numpy()),
        "agreed_share": pa.array((votes / total).where(total > 1), from_pandas=True),
        "agreed_relation": pa.array(related, pa.string()),
    }


def _of_gold(conditions: Conditions) -> dict[str, pa.Array]:
    """Return what the gold answer itself looks like, and where it stands."""
    if not conditions.is_known("gold"):
        return {name: pa.nulls(len(conditions.table), pa.bool_()) for name in _OF_GOLD}
    gold = "trim(gold::VARCHAR)"
    odd = (
        f"len({gold}) <= 40 AND NOT contains({gold}, ' ') AND (regexp_matches({gold}, '[,;=]\\s*[,;=]|[=,;]$|^[=,;]') "
        f"OR lower({gold}) IN ('none', 'nan', 'null', 'n/a', 'undefined'))"
    )
    leak = f"len({gold}) >= 4 AND contains(prompt, {gold}) AND contains(lower(prompt), 'answer: ' || lower({gold}))"
    asked = [odd, leak if conditions.is_known("prompt") else "NULL::BOOLEAN"]
    return {name: column.combine_chunks() for name, column in zip(_OF_GOLD, conditions.evaluate(asked), strict=True)}


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
