"""Answers that are JSON, as numbers that are the same for one object, in whatever order and space it is written."""

import json
import re
import zlib

_FENCE = re.compile(r"```(?:json)?\s*\n(.*?)```", re.DOTALL | re.I)
_MAX_CHARS = 4000


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
