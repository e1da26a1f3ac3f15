"""The answer that a text ends with: what stands in its last mark, else at the end of its last line.

Marks are a box, with brackets of two levels in it, a pair of tags, and four hashes, whose answer ends with its line.
Where there is none, the words before the answer in its line, as `Answer:`, are its lead; lines above with the same lead
hold answers that were given up, as do marks before the last one.
"""

import re
from collections.abc import Sequence
from typing import Any

_MARK = re.compile(
    r"\\boxed\{((?:[^{}]|\{(?:[^{}]|\{[^{}]*+\})*+\})*+)\}|<answer>(.*?)</answer>|####\s*([^\n]+)", re.DOTALL
)
_SIGNS = ("\\boxed{", "<answer>", "####")
_TAG = re.compile(r"</?[^\W\d]\w*>")
_NUMBER = re.compile(r"-?\d[\d,]*(?:\.\d+)?")
_SIGN = re.compile(r"[:：=]")
_MAX_CHARS, _MAX_ANSWER, _MAX_LINE = 6000, 40, 24
"""Signs of a text's end that are read, of an answer in a mark that are kept, and of a line that is an answer."""
_LINE_CHARS, _MAX_GIVEN_UP = 60, 8
"""Signs of a line with an answer that are kept, and answers that were given up."""


def answer_columns(lasts: Sequence[str]) -> dict[str, list[Any]]:
    """Return the columns of answers, a value a last message."""
    marks = [list(_marks(last)) for last in lasts]
    pairs = list(zip(lasts, marks, strict=True))
    return {
        "written_answer": [in_mark(some[-1])[:_MAX_ANSWER] if some else _line_answer(last) for last, some in pairs],
        "first_marked": [in_mark(some[0])[:_MAX_ANSWER] if len(some) > 1 else "" for some in marks],
        "is_marked": [bool(some) for some in marks],
        "leaves_empty": [bool(some) and not in_mark(some[-1]) for some in marks],
        "behind_mark": [_behind(last, some) for last, some in pairs],
        "answer_line": ["" if some else last_line(last).strip()[:_LINE_CHARS] for last, some in pairs],
        "given_up": ["\n".join(_given_up(last, some)[-_MAX_GIVEN_UP:]) for last, some in pairs],
    }


def lead_of(line: str) -> str:
    """Return the words before the answer in a line, without case or signs at their ends; empty where none are."""
    lead, sign, _ = line.rpartition(found[-1]) if (found := _SIGN.findall(line)) else ("", "", "")
    return lead.strip(" *_`#>-").casefold() if sign else ""


def last_marked(last: str) -> str:
    """Return what stands in the last mark, whole; empty where there is none."""
    marks = _marks(last)
    return in_mark(marks[-1]) if marks else ""


def last_line(text: str) -> str:
    """Return the last line that is not empty."""
    return text.rstrip().rsplit("\n", 1)[-1]


def in_mark(mark: re.Match[str]) -> str:
    """Return what stands in a mark, without blanks at its ends."""
    return next((part for part in mark.groups() if part), "").strip()


def _marks(last: str) -> Sequence[re.Match[str]]:
    return list(_MARK.finditer(last[-_MAX_CHARS:])) if any(map(last.__contains__, _SIGNS)) else []


def _behind(last: str, marks: Sequence[re.Match[str]]) -> float:
    """Return how many signs stand behind the last mark."""
    return float(len(marks[-1].string[marks[-1].end() :].strip())) if marks else 0.0


def _given_up(last: str, marks: Sequence[re.Match[str]]) -> list[str]:
    """Return the answers of marks before the last one, or of lines with the lead of the last one."""
    if marks:
        return [in_mark(mark)[:_MAX_ANSWER] for mark in marks[:-1]]
    lines = last[-_MAX_CHARS:].rstrip().split("\n")
    lead = lead_of(lines[-1])
    return [_line_answer(line) for line in lines[:-1] if lead_of(line) == lead] if lead else []


def _line_answer(last: str) -> str:
    """Return the short text that a message without a mark ends with; empty where it is none."""
    line = _TAG.sub(" ", last_line(last)).strip().strip("*_`.。 ")
    line = _SIGN.split(line)[-1].strip(" *_`.。()$")
    if 0 < len(line) <= _MAX_LINE:
        return line
    numbers = _NUMBER.findall(line)
    return numbers[-1] if numbers else ""
