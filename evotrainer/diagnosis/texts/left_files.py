"""Results that attempts leave in files, and results that they find in files which they never wrote.

A name of a file stands in the arguments of calls. An attempt leaves its answer in it where the same call holds the
answer and something that writes. It finds one where the name first comes up in a call that is answered by the
attempt's final answer and nothing else, or by a short note that holds it. A longer text counts as the answer where it
stands in the last message, as a program that is handed in.
"""

import re

from evotrainer.diagnosis.texts.answered_calls import answered_calls
from evotrainer.diagnosis.texts.transcript import Transcript
from evotrainer.evidence.features.calls import call_key

_FILE = re.compile(r"[\w-]+\.[A-Za-z]{1,5}\b")
_WRITES = re.compile(r">|\btee\b|write|create|save|put|store", re.I)
_MAX_CHARS, _MAX_CALLS, _LONG = 1000, 40, 40
_NOTE, _MIN_NOTED = 160, 2
"""Signs of a note that may hold an answer, and those of an answer that no note holds by chance."""


def left_files(attempt: Transcript, answer: str) -> dict[str, str]:
    """Return the files with the attempt's answer: left_in those it wrote, found_in those it never named before.

    Both are texts with blanks between the names.
    """
    names: dict[str, set[str]] = {"left_in": set(), "found_in": set()}
    met, last = set(_FILE.findall(attempt.prompt[:_MAX_CHARS])), attempt.said[-1].content if attempt.said else ""
    for number, (call, told) in enumerate(answered_calls(attempt.since)):
        if number >= _MAX_CALLS:
            break
        text = call_key(call)
        files, told = set(_FILE.findall(text[:_MAX_CHARS])), told.strip()
        written = [value.strip() for value in call.arguments.values() if isinstance(value, str)]
        if _WRITES.search(text) and (bool(answer) and answer in text or any(_is_in(one, last) for one in written)):
            names["left_in"] |= files
        elif (bool(answer) and (told == answer or _notes(told, answer))) or _is_in(told, last):
            names["found_in"] |= files - met
        met |= files
    return {name: " ".join(sorted(files)) for name, files in names.items()}


def _notes(told: str, answer: str) -> bool:
    """Tell whether a short text holds an answer of its own, beside other words."""
    if len(told) > _NOTE or len(answer) < _MIN_NOTED:
        return False
    return re.search(rf"(?<![\w.,]){re.escape(answer)}(?![\w]|[.,]\d)", told) is not None


def _is_in(text: str, last: str) -> bool:
    return len(text) >= _LONG and text in last
