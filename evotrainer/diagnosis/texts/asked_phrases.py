"""Phrases that a column of an attempt's row lists: its text has them word by word, in other words, or not at all."""

import re
from collections.abc import Mapping

_WORD = re.compile(r"[^\W\d_]{3,}|\d+")
_STEM = 4
_MAX_PHRASES, _PHRASE_CHARS, _MAX_CHARS = 12, 80, 4000


def asked_phrases(extra: Mapping[str, object], text: str) -> str:
    """Return "all" where a text has each phrase of the first such list, "loosely" or "lacks"; nothing without a list.

    A phrase is met loosely where one of its words begins like a word of the text, or one of its numbers stands there.
    """
    phrases = next(filter(None, map(_phrases, extra.values())), None)
    if phrases is None or not text or len(text) > _MAX_CHARS:
        return ""
    met = text.casefold()
    missing = [one for one in phrases if one.casefold() not in met]
    stems = _stems(met) if missing else set()
    if all(_stems(one.casefold()) & stems for one in missing):
        return "loosely" if missing else "all"
    return "lacks"


def _phrases(value: object) -> list[str] | None:
    if not isinstance(value, list) or not 1 <= len(value) <= _MAX_PHRASES:
        return None
    texts = [one for one in value if isinstance(one, str) and 0 < len(one) <= _PHRASE_CHARS]
    return texts if len(texts) == len(value) else None


def _stems(text: str) -> set[str]:
    return {word[:_STEM] for word in _WORD.findall(text)}
