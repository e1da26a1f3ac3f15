"""Calls by their form, a tool's name and its arguments' names: those that were read, and those left as text.

A message holds its calls beside its text where somebody read them. A whole call that stands in the text alone, and that
no tool answers, was not read; whether its form can be read is shown by other attempts.
"""

import zlib
from itertools import pairwise

from evotrainer.actions.tool_call_formats import FORMATS
from evotrainer.diagnosis.texts.transcript import Transcript
from evotrainer.records import Message, ToolCall

_ENDS, _CHARS = (">", "}", "]"), 4000
"""Signs that a written call ends with, and the signs of a text's end in which calls are looked for."""


def call_forms(attempt: Transcript) -> dict[str, str]:
    """Return numbers of the forms of calls: of all that were read, parted by spaces, and of the first left as text."""
    read = {_form(call) for message in attempt.said for call in message.tool_calls}
    pairs = pairwise([*attempt.since, None])
    left = (one for one, after in pairs if one is not None and (after is None or after.role != "tool"))
    written = (call for message in left for call in _written(message))
    lost = next(written, None)
    return {"read_calls": " ".join(sorted(read)), "lost_call": _form(lost) if lost is not None else ""}


def _written(message: Message) -> list[ToolCall]:
    """Return the calls that stand in the text of a message of the policy which has none beside it."""
    text = message.content.rstrip()
    if message.role != "assistant" or message.tool_calls or not text.endswith(_ENDS):
        return []
    return next(filter(None, (parse(text[-_CHARS:], ()).calls for parse in FORMATS.values())), [])


def _form(call: ToolCall) -> str:
    return str(zlib.crc32(" ".join([call.name, *sorted(call.arguments)]).encode(errors="replace")))
