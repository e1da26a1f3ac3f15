"""Which columns of `extra` hold what the policy itself wrote: its query, its choice, its command.

Such a column names no machine and no grader: what is wrong by nature is never paid. A value counts as the policy's own
where it stands in what the attempt wrote, text or calls, and another value of the column does not.
"""

import math
import re
from collections.abc import Mapping, Sequence
from typing import Any

from evotrainer.diagnosis.texts.transcript import Transcript

_LETTER = re.compile(r"\w")
VALUE_CHARS = 80
"""Signs of a text that a column keeps: a value of as many is cut, perhaps within a word."""


class OwnWords:
    """Which values of columns stand in their attempt, of attempts that come in order."""

    def __init__(self) -> None:
        """Begin without attempts."""
        self._before: dict[str, list[str]] = {}

    def of(self, attempt: Transcript, values: Mapping[str, Any]) -> dict[str, bool]:
        """Return for each column whether its value stands in the attempt while another one of the column does not."""
        texts = {name: text for name, value in values.items() if (text := _text(value))}
        if not texts:
            return {}
        written = _plain("\n".join(_written(attempt)))
        found = {}
        for name, text in texts.items():
            other = self._other(name, text)
            found[name] = bool(other) and _stands(text, written) and not _stands(other, written)
        return found

    def _other(self, name: str, text: str) -> str:
        """Return the last value of a column that is another one than this."""
        before = self._before.setdefault(name, [])
        if not before or before[-1] != text:
            before.append(text)
            del before[:-2]
        return before[0] if len(before) == 2 else ""


def _text(value: Any) -> str:
    """Return a value as a policy would write it; empty for what it would not."""
    if isinstance(value, float):
        return str(int(value)) if math.isfinite(value) and value.is_integer() else ""
    return _plain(value) if isinstance(value, str) else ""


def _plain(text: str) -> str:
    return " ".join(text.lower().split())


def _written(attempt: Transcript) -> Sequence[str]:
    calls = [call for message in attempt.said for call in message.tool_calls]
    texts = [text for call in calls for text in (call.name, *map(str, call.arguments.values()))]
    return [attempt.text, *texts]


def _stands(value: str, text: str) -> bool:
    """Tell whether a value stands in a text as words of its own."""
    place = text.find(value)
    while place >= 0:
        end = place + len(value)
        is_start = place == 0 or not (_LETTER.match(value[0]) and _LETTER.match(text[place - 1]))
        is_cut = len(value) >= VALUE_CHARS or end >= len(text)
        if is_start and (is_cut or not (_LETTER.match(value[-1]) and _LETTER.match(text[end]))):
            return True
        place = text.find(value, place + 1)
    return False
