"""Answers of tools that say they are cut, and whether an attempt reads on behind the cut."""

import re
import zlib
from collections.abc import Sequence

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


def cut_pages(messages: Sequence[Message]) -> dict[str, bool | float]:
    """Return whether an answer of a tool says that it is cut: read_on by a later call of the tool, or left_cut.

    shown_part: the least share of an answer that one says it shows; 1 where none says it. noted_at: signs that the
    longest cut answer shows before it says so; noted: their checksum. turns_page: whether a later call of the tool
    asks otherwise for the same thing.
    """
    cut: list[ToolCall] = []
    shown, noted = 1.0, ""
    read_on, turns_page, call = False, False, None
    for message in messages:
        if message.tool_calls:
            call = message.tool_calls[-1]
            again = [(old, new) for new in message.tool_calls for old in cut if old.name == new.name]
            read_on |= bool(again)
            turns_page |= any(_asks_otherwise(old, new) for old, new in again)
        elif message.role == "tool" and (mark := _CUT.search(end := message.content.rstrip()[-_END:])):
            cut.append(call or ToolCall(name=""))
            if told := _SHOWN.search(end):
                part, whole = (int(number.replace(",", "")) for number in told.groups())
                shown = min(shown, part / max(whole, 1))
            noted = max(noted, _before_note(message.content.rstrip(), len(end) - mark.start()), key=len)
    return {
        "left_cut": bool(cut) and not read_on,
        "read_on": read_on,
        "shown_part": shown,
        "noted_at": float(len(noted)),
        "noted": float(zlib.crc32(noted.encode())) if noted else 0.0,
        "turns_page": turns_page,
    }


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
