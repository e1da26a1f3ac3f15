"""Answers that pick from what their prompt offers: words to sort, options, names in a text, moves to choose from."""

import re
import zlib

from evotrainer.diagnosis.texts.beyond_gold import answer_parts
from evotrainer.diagnosis.texts.transcript import Transcript

_MIN_PARTS, _MAX_PARTS, _MAX_CHARS, _MAX_PART = 2, 200, 4000, 40
_OFFERED = 0.9
"""Share of the parts that stand in the prompt."""
_SEPARATES = re.compile(r"[,;\n]")
_BLANKS = re.compile(r"[\s'\"`]")


def picked_parts(attempt: Transcript) -> str:
    """Return the parts of an answer that its prompt offers, as sorted numbers; empty for another answer."""
    text = attempt.said[-1].content[-_MAX_CHARS:] if attempt.said else ""
    if _SEPARATES.search(text) is None:
        return ""
    parts = answer_parts(text, _MAX_PART)
    if not _MIN_PARTS <= len(parts) <= _MAX_PARTS:
        return ""
    offered = _BLANKS.sub("", attempt.prompt[:_MAX_CHARS]).lower()
    if sum(part in offered for part in parts) < _OFFERED * len(parts):
        return ""
    return " ".join(sorted(f"{zlib.crc32(part.encode(errors='replace')):x}" for part in parts))
