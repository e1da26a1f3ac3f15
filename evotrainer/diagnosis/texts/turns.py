"""How an attempt and others take turns: the first request of the policy, a user's words that end the attempt.

A request is a call of a tool, or what stands in a tag or a fence at the end of a message that somebody answers. A user
consents who begins with a word of consent, right behind a message of the policy that ends with a question.
"""

import re
import zlib
from collections.abc import Sequence

from evotrainer.diagnosis.texts.transcript import Transcript
from evotrainer.evidence.features.calls import call_key
from evotrainer.records import Message

_REQUEST = re.compile(r"(?:<(\w+)>(?P<tag>(?:(?!<\1>)[\s\S])+?)</\1>|```\w*\n(?P<fence>[\s\S]+?)```)\s*\Z")
_MARK = re.compile(r"#+\s*[\w-]+\s*#+|<[^<>\n]{1,40}>|\[[A-Z_ -]{2,40}\]")
_CONSENT = re.compile(
    r"\W*(?:(?:i )?confirm(?:ed)?|yes|yeah|yep|sure|ok(?:ay)?|absolutely|of course|go ahead|proceed"
    r"|please (?:do|go|proceed)"
    r"|ja|oui|s[ií]|sim|да|tak|evet)\b|\W*(?:是的?|好的?|可以|确认|はい|네)",
    re.I,
)
_QUESTION = re.compile(r"[?？](?:\W|\([^()]*\))*\Z")
_WORD = re.compile(r"[^\W_]+")
_MAX_CHARS, _MARK_CHARS = 6000, 60


def turns(attempt: Transcript) -> dict[str, str]:
    """Return numbers of the first request, of the words of a user that end the attempt, and of all that are answered.

    Several numbers are parted by spaces. Marks such as ###STOP### or <end> are no words; end_mark is the last of them.
    """
    since = attempt.since
    pairs = list(zip(since, since[1:], strict=False))
    answered = {_words(one.content) for one, after in pairs if one.role == "user" and after.role == "assistant"}
    first = next((one for one, after in pairs if one.role == "assistant" and after.role != "assistant"), None)
    is_end = len(since) > 1 and since[-1].role == "user"
    return {
        "first_request": _request(first) if first is not None else "",
        "end_words": _words(since[-1].content) if is_end else "",
        "end_mark": _last_mark(since[-1].content) if is_end else "",
        "answered_words": " ".join(sorted(answered - {""})),
        "consent": _consent(since),
    }


def _consent(messages: Sequence[Message]) -> str:
    """Return what became of a user's consent: the attempt "ends" by the first one, or a call has "followed" one."""
    places = [
        place
        for place, (one, after) in enumerate(zip(messages, messages[1:], strict=False), start=1)
        if one.role == "assistant" and after.role == "user" and not one.tool_calls
        if _CONSENT.match(after.content) and _QUESTION.search(one.content[-_MARK_CHARS:])
    ]
    if places and places[0] == len(messages) - 1:
        return "ends"
    return "followed" if any(messages[place + 1].tool_calls for place in places if place + 1 < len(messages)) else ""


def _request(message: Message) -> str:
    if message.tool_calls:
        return _number("\n".join(map(call_key, message.tool_calls)))
    found = _REQUEST.search(message.content[-_MAX_CHARS:])
    return "" if found is None else _number(" ".join((found["tag"] or found["fence"]).split()))


def _words(text: str) -> str:
    words = _WORD.findall(_MARK.sub(" ", text[:_MAX_CHARS]).lower())
    return _number(" ".join(words)) if words else ""


def _last_mark(text: str) -> str:
    """Return the mark that a text ends with, without blanks; empty where it ends with none."""
    end = text[-_MARK_CHARS:].rstrip()
    return next(("".join(found[0].split()) for found in _MARK.finditer(end) if found.end() == len(end)), "")


def _number(text: str) -> str:
    return str(zlib.crc32(text.encode(errors="replace")))
