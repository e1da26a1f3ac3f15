"""Identifiers that an attempt reports in its last message: who told them to it, or nobody.

A number of a ticket, an order or a file is made by the system that keeps it. One that stands in no prompt, answer or
call of the attempt was not learned there. Its form is what stays of it when its digits are taken out.
"""

import re
from collections.abc import Iterator

from evotrainer.diagnosis.texts.answered_calls import answered_calls
from evotrainer.diagnosis.texts.transcript import Transcript
from evotrainer.evidence.features.calls import call_key

_TOKEN = re.compile(r"(?<![\w.,/$€£:-])#?[A-Za-z0-9]+(?:[-_][A-Za-z0-9]+)*(?![\w/]|[.,:]\d|-\w)")
_NUMBERED, _SQUEEZED = re.compile(r"(?:\D*\d){3}").match, re.compile(r"[\W_]+")
_PARTS = re.compile(r"[A-Za-z0-9]+")
_MAX_CHARS, _MIN_SIGNS, _MAX_SIGNS, _MIN_DIGITS, _MIN_PLAIN_DIGITS, _MAX_IDS = 2000, 5, 40, 3, 5, 4
USER = "-"
"""Who told an identifier that no tool's answer to a call holds."""


def reported_ids(attempt: Transcript) -> dict[str, str]:
    """Return `reported`, identifiers as `form|value|teller`, and `called`, the tools that were called; nobody is empty.

    Identifiers of the task, and those that the attempt gave to a tool, are left out.
    """
    ids = _ids(attempt.said[-1].content[-_MAX_CHARS:]) if attempt.said else []
    if not ids:
        return {"reported": "", "called": ""}
    calls = [call for message in attempt.said for call in message.tool_calls]
    own = _squeezed("\n".join([attempt.prompt, *map(call_key, calls)]))
    told = [(call.name, _squeezed(answer)) for call, answer in answered_calls(attempt.since)] if calls else []
    heard = _squeezed("\n".join(attempt.answers))
    found = [
        f"{_form(one)}|{one}|{_teller(key, told, heard)}"
        for one in ids[:_MAX_IDS]
        if (key := _squeezed(one)) not in own
    ]
    return {"reported": " ".join(found), "called": " ".join(sorted({call.name for call in calls}))}


def _ids(text: str) -> list[str]:
    words = " ".join([word for word in text.split() if _NUMBERED(word)])
    return list(dict.fromkeys(one for one in _TOKEN.findall(words) if _is_id(one))) if words else []


def _is_id(token: str) -> bool:
    digits = sum(map(str.isdigit, token))
    is_plain = not any(map(str.isalpha, token))
    return _MIN_SIGNS <= len(token) <= _MAX_SIGNS and digits >= (_MIN_PLAIN_DIGITS if is_plain else _MIN_DIGITS)


def _form(token: str) -> str:
    """Return an identifier with its digits masked; of a part of letters and digits its length is kept."""
    return _PARTS.sub(lambda part: _masked(part.group()), token)


def _masked(part: str) -> str:
    if part.isalpha():
        return part
    return ("0" if part.isdigit() else "x") * len(part)


def _squeezed(text: str) -> str:
    return _SQUEEZED.sub("", text.lower())


def _teller(key: str, told: list[tuple[str, str]], heard: str) -> str:
    return next(_tellers(key, told), USER if key in heard else "")


def _tellers(key: str, told: list[tuple[str, str]]) -> Iterator[str]:
    return (name for name, answer in told if key in answer)
