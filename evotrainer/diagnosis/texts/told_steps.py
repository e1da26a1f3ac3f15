"""What tools answered to the same calls so far: a world that is set back before each attempt answers alike.

A step is a call and all before it, told apart by name and arguments. Numbers of five digits and more, ids and times are
masked in answers: they differ by themselves.
"""

import re
import zlib
from collections.abc import Sequence

from evotrainer.evidence.features.calls import call_key
from evotrainer.records import Message

_MAX_STEPS, _CHARS = 6, 2000
_OWN = re.compile(
    r"\b[0-9a-f]{8}-[0-9a-f-]{8,}\b|\b(?=\w*\d)(?=\w*[a-f])[0-9a-f]{7,}\b|\d{5,}|\d{1,2}:\d{2}:\d{2}(?:\.\d+)?"
    r"|\b\d+\.\d+\s?(?:s|ms|seconds)\b"
)


def told_steps(messages: Sequence[Message]) -> str:
    """Return `step:answer` for the first steps of an attempt, both as numbers, parted by blanks."""
    made = zlib.crc32(b"")
    found: list[str] = []
    for place, message in enumerate(messages):
        if message.role != "assistant":
            continue
        after = messages[place + 1] if place + 1 < len(messages) else None
        if len(message.tool_calls) != 1 or after is None or after.role == "assistant" or len(found) == _MAX_STEPS:
            break
        made = zlib.crc32(call_key(message.tool_calls[0]).encode(errors="replace"), made)
        answer = _OWN.sub("#", after.content[:_CHARS])
        found.append(f"{made}:{zlib.crc32(answer.encode(errors='replace'))}")
    return " ".join(found)
