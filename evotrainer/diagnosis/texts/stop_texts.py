"""The text at which a sampler stopped, where a row names it and it is neither a special token nor a plain reason."""

import re
from collections.abc import Mapping
from typing import Any

from evotrainer.records import Trajectory

_NAMED = re.compile(r"stop|matched|finish|terminat", re.I)
_PLAIN = re.compile(r"[\w .-]*[\w.][\w .-]*")
"""A reason in words, or a number."""
_SPECIAL = re.compile(r"\s*(?:</?s>|<\|?[\w\u2581| ]+\|?>|\[/?[A-Z_]+\]|<eos>|<｜[^｜]*｜>)\s*")
_MAX_CHARS = 24


def stop_text(row: Trajectory) -> str:
    """Return the text that ended an attempt, which may be white space; empty where none is named."""
    named = [("stop_reason", row.stop_reason), *_named(row.extra)]
    return next((value for _, value in named if _is_stop_text(value)), "")


def _named(extra: Mapping[str, Any]) -> list[tuple[str, Any]]:
    found: list[tuple[str, Any]] = []
    for name, value in extra.items():
        inner = value.items() if isinstance(value, dict) else [("", value)]
        found += [(name, one) for key, one in inner if _NAMED.search(key or name)]
    return found


def _is_stop_text(value: Any) -> bool:
    if not isinstance(value, str) or not 0 < len(value) <= _MAX_CHARS:
        return False
    return not _PLAIN.fullmatch(value) and not _SPECIAL.fullmatch(value)
