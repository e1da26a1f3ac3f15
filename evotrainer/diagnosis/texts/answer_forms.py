"""The form of what tools answer: the text without its numbers, which ids, scores and clocks change from call to call.

A line with dots in its middle is elided where the same attempt holds it whole elsewhere: in another answer, in its
task, in a column beside it. Lines that are long whole are shortened by many tools, and on purpose.
"""

import re
import zlib
from collections.abc import Iterator, Sequence

from evotrainer.diagnosis.texts.answered_calls import answered_calls
from evotrainer.diagnosis.texts.transcript import Transcript
from evotrainer.evidence.features.calls import call_key
from evotrainer.records import Message

_NUMBER = re.compile(r"\d+")
_WORDS = re.compile(r"[^\W\d_]+")
_DOTS = re.compile(r"\.{3}|…")
_SMALL_NUMBER, _WRAPPED = re.compile(r"(?:(?<=[\s\"':=,(\[])|(?<=\s-))\d{1,4}(?=p?\b(?!\.))"), 3
"""A number that a call may give for lines, and lines that a tool may write around them."""
_FORM_CHARS, _LINE_CHARS = 6000, 200
_MIN_HEAD, _MIN_TAIL, _MAX_LINES = 6, 4, 8
_TEXT_CHARS = 20000


def form_of(text: str) -> str:
    """Return a number that is the same for texts that differ in their numbers alone; empty for an empty text."""
    return str(zlib.crc32(_NUMBER.sub("0", text[:_FORM_CHARS]).encode(errors="replace"))) if text.strip() else ""


def first_forms(call: str, answer: str) -> dict[str, str | float]:
    """Return the form of the first answer, and its lines: 0 where the call names about as many (`head -n 12`)."""
    lines = answer.rstrip().count("\n") + 1 if answer.strip() else 0
    asked = any(abs(int(found[0]) - lines) <= _WRAPPED for found in _SMALL_NUMBER.finditer(call))
    return {"first_form": form_of(answer), "first_lines": 0.0 if asked else float(lines)}


def again_form(messages: Sequence[Message], first: str) -> str:
    """Return the form of the last answer to the first call, where it was made again behind another call."""
    again, is_behind = "", False
    for call, answer in answered_calls(messages) if first else ():
        is_first = call_key(call) == first
        again = form_of(answer) if is_first and is_behind else again
        is_behind |= not is_first
    return again


def answer_forms(attempt: Transcript) -> dict[str, str | bool]:
    """Return the form of the longest answer to an attempt, that of its last one, and whether one elides a short line.

    Words of the prompt are left out of the last one: `holding the cup` and `holding the pen` have one form.
    """
    last = attempt.answers[-1][:_FORM_CHARS] if attempt.answers else ""
    asked = set(_WORDS.findall(attempt.prompt[:_FORM_CHARS].lower()))
    own = " ".join(word for word in _WORDS.findall(last.lower()) if word not in asked)
    return {
        "answer_form": form_of(max(attempt.answers, key=len, default="")),
        "last_form": form_of(own),
        "elides": _elides(attempt),
    }


def _elides(attempt: Transcript) -> bool:
    parts = [part for text in attempt.answers for part in _elided(text[:_FORM_CHARS])][:_MAX_LINES]
    return bool(parts) and any(_stands_whole(attempt, head, tail) for head, tail in parts)


def _elided(text: str) -> Iterator[tuple[str, str]]:
    """Yield what stands before and behind the dots within words of a line."""
    for line in text.split("\n") if _DOTS.search(text) else ():
        parts = _DOTS.split(line.strip())
        if len(parts) != 2 or len(line) > _LINE_CHARS:
            continue
        head, tail = parts
        is_within = head[-1:].strip() and tail[:1].strip()
        if is_within and len(head) >= _MIN_HEAD and len(tail) >= _MIN_TAIL:
            yield head, tail


def _stands_whole(attempt: Transcript, head: str, tail: str) -> bool:
    beside = [value for value in attempt.row.extra.values() if isinstance(value, str)]
    for text in (*attempt.answers, attempt.prompt, *beside):
        place = text[:_TEXT_CHARS].find(head)
        while place >= 0:
            line = text[place + len(head) : place + _LINE_CHARS].partition("\n")[0]
            if line.find(tail) > 0 and not _DOTS.search(line):
                return True
            place = text[:_TEXT_CHARS].find(head, place + 1)
    return False
