"""What a sampler was told to stop at, where that is one text, and whether a reply holds any of its characters.

A list of texts is wanted in most engines. A text in its place is a list of its characters, and a list of single
characters is what came of it. The words that a reply ends with, without an end of a sentence or mark, show where
it stopped. The texts of a list are told too: one of them may stand within what a reply has to say.
"""

import json
import re
from collections.abc import Iterator, Mapping
from typing import Any

from evotrainer.diagnosis.texts.transcript import Transcript

_NAMED = re.compile(r"(?:^|[_.])(?:stop|until)(?:[_.]?(?:at|on|text|word|string|str|seq|sequence|token)s?)?$", re.I)
_MAX_CHARS, _END_CHARS = 32, 60
_ENDED = re.compile(r"[.!?。！？…)\]}>`'\"”»*|$]\s*$|^\W*$")
"""The end of a sentence or of a mark, or nothing at all."""
_WORDS = re.compile(r"\S+\s+\S+\s*$|\S+\s*$")
_MATCHED = re.compile(r"(?:^|[_.])(?:matched_stop|stop_matched)$", re.I)
_MAX_TEXTS = 8
"""Texts to stop at that are read."""


def stop_letters(attempt: Transcript) -> dict[str, Any]:
    """Return `stop_set`, the text to stop at, `lacks_stop`, whether no character of it is said, and `open_end`.

    `stop_texts` is the list of texts to stop at, as JSON; `reply_end` what the reply ends with, without them, and
    `goes_past_stop` whether it holds one of them before. All three are empty or false where none is told.
    """
    return {**_letters(attempt), **_texts(attempt)}


def _letters(attempt: Transcript) -> dict[str, Any]:
    text = _set_text(attempt.row.extra)
    if not text:
        return {"stop_set": "", "lacks_stop": False, "open_end": ""}
    # Samplers may leave what they stopped at in the reply.
    end = attempt.said[-1].content.rstrip() if attempt.said else ""
    lacks = set(text).isdisjoint(attempt.text.rstrip()[:-1]) if attempt.text else False
    words = _WORDS.search(end[-_END_CHARS:])
    is_open = _ENDED.search(end[-_END_CHARS:]) is None
    return {"stop_set": text, "lacks_stop": lacks, "open_end": words.group() if words and is_open else ""}


def _texts(attempt: Transcript) -> dict[str, Any]:
    texts = sorted(set(_told_texts(attempt.row.extra)))[:_MAX_TEXTS]
    if not texts:
        return {"stop_texts": "", "reply_end": "", "goes_past_stop": False}
    last = attempt.said[-1].content.rstrip() if attempt.said else ""
    for text in texts:
        last = last.removesuffix(text.rstrip()).rstrip()
    goes_past = any(text in last for text in texts)
    return {"stop_texts": json.dumps(texts), "reply_end": last[-_END_CHARS:], "goes_past_stop": goes_past}


def _told_texts(extra: Mapping[str, Any]) -> Iterator[str]:
    """Yield the texts that a row tells to stop at, or says that it stopped at."""
    for name, value in extra.items():
        inner = value.items() if isinstance(value, dict) else [("", value)]
        for key, one in inner:
            if _NAMED.search(key or name) or _MATCHED.search(key or name):
                listed = one if isinstance(one, list) else [one]
                yield from (text for text in listed if isinstance(text, str) and 0 < len(text) <= _MAX_CHARS)


def _set_text(extra: Mapping[str, Any]) -> str:
    """Return the text that a row tells to stop at, of two different characters and more; empty for none."""
    for name, value in extra.items():
        inner = value.items() if isinstance(value, dict) else [("", value)]
        for key, one in inner:
            if _NAMED.search(key or name) and (text := _one_text(one)):
                return text
    return ""


def _one_text(value: Any) -> str:
    if isinstance(value, list) and all(isinstance(one, str) and len(one) == 1 for one in value):
        value = "".join(value)
    return value if isinstance(value, str) and len(set(value)) > 1 and len(value) <= _MAX_CHARS else ""
