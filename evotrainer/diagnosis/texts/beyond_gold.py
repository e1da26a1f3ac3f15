"""Answers of several parts that hold the whole gold answer and more: the gold answer may lack what was asked for.

Parts are what stands between commas, semicolons or words for and, outside brackets: calls, numbers, names.
"""

import re
import zlib
from collections import Counter
from collections.abc import Iterator

from evotrainer.diagnosis.texts.gold import is_gold_name, without_thousands
from evotrainer.diagnosis.texts.transcript import Transcript

_MAX_CHARS = 4000
_BOX = re.compile(r"\\boxed\{(.*)\}|<answer>(.*?)</answer>", re.S)
_AND = re.compile(r"[,;\n]|\s(?:and|or|und|oder|et|ou|y|o)\s")
_STRETCH = re.compile(r"[,;\n]")
_OPENS, _CLOSES = "([{", ")]}"
_NUMBER = re.compile(r"-?\d+(?:\.\d+)?")


def beyond_gold(attempt: Transcript) -> str:
    """Return numbers of an answer that holds the gold one and more, and of what is more; empty for another answer.

    Where the gold answer is one part, it and what is more must be numbers.
    """
    golds = [value for name, value in attempt.row.extra.items() if is_gold_name(name)]
    gold = next((parts for parts in map(_parts_of, golds) if parts), [])
    given = answer_parts(attempt.said[-1].content) if gold and attempt.said else []
    more = Counter(given) - Counter(gold)
    if not more or Counter(gold) - Counter(given):
        return ""
    if len(gold) == 1 and not all(_NUMBER.fullmatch(part) for part in given):
        return ""
    return " ".join(str(zlib.crc32("\n".join(sorted(parts)).encode(errors="replace"))) for parts in (given, [*more]))


def answer_parts(text: str, longest: int = _MAX_CHARS) -> list[str]:
    """Return the parts of the answer that a message ends with; none where a line of it has so long a stretch."""
    answer = _answer(text[-_MAX_CHARS:])
    return _parts(answer) if max(map(len, _STRETCH.split(answer))) <= longest else []


def _parts_of(gold: object) -> list[str]:
    """Return the parts of a gold answer: a text, a number, or a list of them."""
    if isinstance(gold, list):
        return [_plain(str(one)) for one in gold] if all(isinstance(one, str | int | float) for one in gold) else []
    return _parts(str(gold)[:_MAX_CHARS]) if isinstance(gold, str | int | float) else []


def _answer(text: str) -> str:
    """Return what a message ends with: its last mark, a list in brackets, or the end of its last line."""
    text = text.strip().removesuffix("```").rstrip()
    marked = _BOX.findall(text)
    if marked:
        return "".join(marked[-1])
    if text.endswith("]"):
        return text[max(text.rfind("\n["), 0) :].strip() if "\n[" in text or text.startswith("[") else ""
    return text.rsplit("\n", 1)[-1].rsplit(":", 1)[-1].strip(" .*$")


def _parts(text: str) -> list[str]:
    """Return the parts of an answer, without spaces, quotes and case."""
    text = without_thousands(text.strip().strip("$"))
    if text[:1] in ("[", "{") and text[-1:] in ("]", "}"):
        text = text[1:-1]
    return [plain for part in _split(text) if (plain := _plain(part))]


def _split(text: str) -> Iterator[str]:
    """Yield what stands between separators outside brackets."""
    depth, start = 0, 0
    ends = {found.start(): found.end() for found in _AND.finditer(text)}
    for place, sign in enumerate(text):
        depth += (sign in _OPENS) - (sign in _CLOSES)
        if depth <= 0 and place in ends:
            yield text[start:place]
            start = ends[place]
    yield text[start:]


def _plain(text: str) -> str:
    return re.sub(r"[\s'\"`]", "", text).lower()
