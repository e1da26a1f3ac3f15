"""Answers of tools that say they are cut, and whether an attempt reads on behind the cut."""

import re
import zlib
from collections.abc import Sequence
from typing import NamedTuple

from evotrainer.records import Message, ToolCall

_CUT = re.compile(
    r"(?:\btruncated|\bomitted|\bcut off|\boutput limit|\bmore (?:lines|rows|characters|bytes|results)|\bclipped"
    r"|[\[(<]\s?(?:\.\.\.|…)\s?[\])>])[\])}>.,:;\s\w]{0,60}\Z",
    re.I,
)
_END = 120
_SHOWN = re.compile(r"(\d[\d,]*) (?:of|out of|/) (\d[\d,]*) (?:characters|chars|lines|bytes|tokens|rows)", re.I)
"""How much of an answer is shown, where it says so."""
_WORD = re.compile(r"[^\W_]{3,}")
_NOTE = 60
"""Signs before the word of a cut in which the note of it begins."""
_DIGITS = re.compile(r"\d+")
_LIKE, _HELD = 8, 80
"""Signs by which a text may break off earlier where a number in it is longer, and of its begin that show it again."""


class _Cut(NamedTuple):
    """A call whose answer says that it is cut, and what the answer shows before it says so."""

    call: ToolCall
    shown: str


def cut_pages(messages: Sequence[Message]) -> dict[str, bool | float]:
    """Return whether an answer of a tool says that it is cut: read_on by a later call of the tool, or left_cut.

    shown_part: the least share of an answer that one says it shows; 1 where none says it. noted_at: signs that the
    longest cut answer shows before it says so; noted: their checksum. turns_page: whether a later call of the tool
    asks otherwise for the same thing, and another text comes. asks_in_vain: whether the cut text comes again, and
    nothing shows_more: no page is turned, and no answer to another tool is longer and about the same thing.
    """
    cut: list[_Cut] = []
    shown, read_on, turns_page, is_same, sees_more = 1.0, False, False, False, False
    calls: list[ToolCall] = []
    for message in messages:
        if message.tool_calls:
            calls = list(message.tool_calls)
            read_on |= any(old.call.name == new.name for new in calls for old in cut)
        elif message.role == "tool":
            call = calls.pop(0) if len(calls) > 1 else calls[0] if calls else ToolCall(name="")
            content = message.content.rstrip()
            mark = _CUT.search(end := content[-_END:])
            text = _before_note(content, len(end) - mark.start()) if mark else content
            if cut:
                again = [one for one in cut if one.call.name == call.name and _asks_otherwise(one.call, call)]
                comes_again = mark is not None and any(_is_same(one.shown, text) for one in again)
                is_same |= comes_again
                turns_page |= bool(again) and not comes_again
                sees_more |= mark is None and any(_shows_more(one, call, text) for one in cut)
            if mark:
                cut.append(_Cut(call, text))
                shown = min(shown, _share(end))
    noted = max((one.shown for one in cut), key=len, default="")
    return {
        "left_cut": bool(cut) and not read_on,
        "read_on": read_on,
        "shown_part": shown,
        "noted_at": float(len(noted)),
        "noted": float(zlib.crc32(noted.encode())) if noted else 0.0,
        "turns_page": turns_page,
        "shows_more": turns_page or sees_more,
        "asks_in_vain": is_same and not turns_page and not sees_more,
    }


def _share(end: str) -> float:
    """Return the share of an answer that its end says it shows; 1 where it says none."""
    told = _SHOWN.search(end)
    part, whole = (int(number.replace(",", "")) for number in told.groups()) if told else (1, 1)
    return part / max(whole, 1)


def _is_same(old: str, new: str) -> bool:
    """Tell whether two cut texts are the same but for their numbers."""
    first, second = (_DIGITS.sub("0", text) for text in (old, new))
    length = min(len(first), len(second))
    return abs(len(first) - len(second)) <= _LIKE and length > 0 and first[:length] == second[:length]


def _shows_more(cut: _Cut, call: ToolCall, text: str) -> bool:
    """Tell whether an answer that is not cut goes beyond a cut one: about the same thing, or the same text."""
    if len(text) < len(cut.shown):
        return False
    is_about = cut.call.arguments != call.arguments and not _words(cut.call).isdisjoint(_words(call))
    return is_about or (len(text) > len(cut.shown) and cut.shown[:_HELD] in text)


def _before_note(text: str, behind: int) -> str:
    """Return what an answer shows before the note that it is cut, whose word begins `behind` signs before its end."""
    shown = text[: len(text) - behind]
    begin = max(shown.rfind(sign, max(len(shown) - _NOTE, 0)) for sign in ("[", "(", "<", "\n", "...", "…"))
    return (shown if begin < 0 else shown[:begin]).rstrip().rstrip(".…").rstrip()


def _asks_otherwise(old: ToolCall, new: ToolCall) -> bool:
    """Tell whether a call shares a word with another one, as the name of a file or page, and differs from it."""
    return old.arguments != new.arguments and not _words(old).isdisjoint(_words(new))


def _words(call: ToolCall) -> set[str]:
    values = [value for value in call.arguments.values() if isinstance(value, str)]
    return {word for value in values for word in _WORD.findall(value)}
