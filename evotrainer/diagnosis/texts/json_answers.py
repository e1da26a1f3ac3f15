"""Answers that are JSON, as numbers that are the same for one object, in whatever order and space it is written.

An object may also be the end of a text. Where the prompt asks for one way of writing, such an end is not looked at.
"""

import json
import re
import zlib

_FENCE = re.compile(r"```(?:json)?\s*\n(.*?)```", re.DOTALL | re.I)
_MAX_CHARS = 4000
_BEGIN, _MAX_TRIES = re.compile(r"[{\[]"), 12
_ASKS_WRITING = re.compile(
    r"minif|compact|canonical|white.?space|(?:no|without) (?:extra )?(?:space|line|blank)|indent|(?:one|single) line"
    r"|\bsorted?\b|(?:same|this|that|given|following|listed|exact|alphabetical) order|exactly as",
    re.I,
)
"""Words of a prompt that asks for one way of writing an object."""


def json_number(text: str) -> str:
    """Return a number of the object or list that a text is, alone or in a fence; empty for any other text."""
    text = text[:_MAX_CHARS].strip()
    if "{" not in text and "[" not in text:
        return ""
    fenced = _FENCE.search(text) if "```" in text else None
    text = fenced[1].strip() if fenced else text
    if text[:1] not in ("{", "[") or text[-1:] not in ("}", "]"):
        return ""
    try:
        found = json.loads(text)
    except (ValueError, RecursionError):
        return ""
    return str(zlib.crc32(json.dumps(found, sort_keys=True, ensure_ascii=False).encode(errors="replace")))


def last_object(prompt: str, text: str) -> dict[str, str]:
    """Return numbers of the object that a text ends with, alone or behind words, and of how it is written."""
    text = text[-_MAX_CHARS:].rstrip().removesuffix("```").rstrip()
    found = _BEGIN.finditer(text) if text.endswith(("}", "]")) and not _ASKS_WRITING.search(prompt) else ()
    for begin, _ in zip(found, range(_MAX_TRIES), strict=False):
        writing = text[begin.start() :]
        if number := json_number(writing):
            return {"last_object": number, "last_writing": str(zlib.crc32(writing.encode(errors="replace")))}
    return {"last_object": "", "last_writing": ""}
