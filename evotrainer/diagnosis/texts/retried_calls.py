"""Calls that a tool refuses with an error, and what the same call is answered when it is made again at once.

An answer is an error where the row says that the call failed, or where it begins as errors do. Of turns with several
calls nothing is told.
"""

import re
import zlib
from collections.abc import Iterator, Sequence

from evotrainer.evidence.features.calls import call_key
from evotrainer.records import Message

_ERROR = re.compile(
    r"\A\W*(?:\w*(?:error|exception|failure)\b|failed\b|fatal\b|traceback\b|(?:status|type)\W{1,4}(?:error|failed)\b"
    r"|HTTP[ /\d.]*[45]\d\d\b)",
    re.I,
)


def retried_calls(messages: Sequence[Message]) -> dict[str, str | float | bool]:
    """Return how an attempt's calls were refused.

    num_retaken: calls refused, and taken when repeated at once. num_refused_twice: refused again. first_taken,
    first_refused: a number of the first call, under whether it was taken. ends_refused: the last call was refused.
    """
    made = list(_made(messages))
    pairs = [(one, after) for one, after in zip(made, made[1:], strict=False) if one[0] == after[0] and one[1]]
    number = str(zlib.crc32(made[0][0].encode(errors="replace"))) if made else ""
    return {
        "num_retaken": float(sum(not after[1] for _, after in pairs)),
        "num_refused_twice": float(sum(after[1] for _, after in pairs)),
        "first_taken": "" if not made or made[0][1] else number,
        "first_refused": number if made and made[0][1] else "",
        "ends_refused": bool(made) and made[-1][1],
    }


def _made(messages: Sequence[Message]) -> Iterator[tuple[str, bool]]:
    """Yield each call that was answered, and whether it was refused; nothing behind several calls of one turn."""
    for place, message in enumerate(messages):
        if message.role != "assistant" or not message.tool_calls:
            continue
        after = messages[place + 1] if place + 1 < len(messages) else None
        if len(message.tool_calls) > 1 or after is None or after.role == "assistant":
            return
        is_refused = after.ok is False or _ERROR.search(after.content[:80]) is not None
        yield call_key(message.tool_calls[0]), is_refused
