"""Whether the reference of an attempt is the very text that its prompt gave, and how much of it the reply hands back.

A long text in a column that is named as a reference counts. What is left of the prompt without it tells whether the
problem gave more: a passage to quote from, a question. Likeness is of runs of three signs, so that every script counts.
"""

import math
import re
import zlib
from functools import lru_cache

from evotrainer.diagnosis.texts.gold import is_gold_name
from evotrainer.diagnosis.texts.thoughts import behind_thoughts
from evotrainer.diagnosis.texts.transcript import Transcript

_NAMED = re.compile(r"(?:^|_)(?:ref|reference|target|tgt|gold|label|expected|ground_?truth)(?:_|$)", re.I)
_MIN_CHARS, _MAX_CHARS = 40, 4000
NOT_GIVEN = "not given"


def given_reference(attempt: Transcript) -> dict[str, str | float]:
    """Return a number of the prompt without its reference, and how much of that the reply is.

    The first is NOT_GIVEN where the prompt does not hold the reference, and empty where no column has one.
    """
    texts = references(attempt)
    if not texts:
        return {"beside_reference": "", "reference_share": math.nan}
    prompt = plain_text(attempt.prompt)
    text = next((text for text in texts if text in prompt), "")
    if not text or not attempt.said:
        return {"beside_reference": NOT_GIVEN, "reference_share": math.nan}
    beside = str(zlib.crc32(prompt.replace(text, "\n", 1).encode(errors="replace")))
    reply = plain_text(behind_thoughts(attempt.said[-1].content))
    return {"beside_reference": beside, "reference_share": _likeness(reply, text)}


def references(attempt: Transcript) -> list[str]:
    """Return the long texts of columns that are named as references, in plain letters."""
    return [plain_text(value) for name, value in attempt.row.extra.items() if _is_reference(name, value)]


def _is_reference(name: str, value: object) -> bool:
    is_long = isinstance(value, str) and len(value) >= _MIN_CHARS
    return is_long and (is_gold_name(name) or _NAMED.search(name) is not None)


@lru_cache(64)
def plain_text(text: str) -> str:
    """Return the beginning of a text without case and with single blanks."""
    return " ".join(text[: 4 * _MAX_CHARS].casefold().split())


def _likeness(one: str, other: str) -> float:
    """Return how many runs of signs two texts share, of those that they have on average."""
    runs = _runs(one), _runs(other)
    return 2 * len(runs[0] & runs[1]) / max(len(runs[0]) + len(runs[1]), 1)


@lru_cache(64)
def _runs(text: str) -> frozenset[tuple[str, str, str]]:
    """Return the different runs of three signs; kept, because attempts at one problem share their reference."""
    text = text[:_MAX_CHARS]
    return frozenset(zip(text, text[1:], text[2:], strict=False))
