"""Answers of tools that say they are cut, and whether an attempt reads on behind the cut."""

import re
from collections.abc import Sequence

from evotrainer.records import Message

_CUT = re.compile(
    r"(?:\btruncated|\bomitted|\bcut off|\boutput limit|\bmore (?:lines|rows|characters|bytes|results)|\bclipped"
    r"|[\[(<]\s?(?:\.\.\.|…)\s?[\])>])[\])}>.,:;\s\w]{0,60}\Z",
    re.I,
)
_END = 120
_SHOWN = re.compile(r"(\d[\d,]*) (?:of|out of|/) (\d[\d,]*) (?:characters|chars|lines|bytes|tokens|rows)", re.I)
"""How much of an answer is shown, where it says so."""


def cut_pages(messages: Sequence[Message]) -> dict[str, bool | float]:
    """Return whether an answer of a tool says that it is cut: read_on by a later call of the tool, or left_cut.

    shown_part: the least share of an answer that one says it shows; 1 where none says it.
    """
    cut: set[str] = set()
    shown = 1.0
    read_on, name = False, ""
    for message in messages:
        if message.tool_calls:
            name = message.tool_calls[-1].name
            read_on |= any(call.name in cut for call in message.tool_calls)
        elif message.role == "tool" and _CUT.search(message.content.rstrip()[-_END:]):
            cut.add(name)
            if told := _SHOWN.search(message.content.rstrip()[-_END:]):
                part, whole = (int(number.replace(",", "")) for number in told.groups())
                shown = min(shown, part / max(whole, 1))
    return {"left_cut": bool(cut) and not read_on, "read_on": read_on, "shown_part": shown}
