"""Columns that a trainer logged of prompts: how long they are, and the limit of their length."""

import re

from evotrainer.diagnosis.texts.named import EXTRA_PREFIX, outside_columns
from evotrainer.evidence.frames import Frame

_NOT_OF_IT = r"(?!.*(?:response|completion|output|total))"
_OF_A_LIMIT = r"(?:^|[^a-z])(?:max(?:imum)?|limit|budget|cap)(?:[^a-z]|$)"
_LIMIT = re.compile(rf"{_NOT_OF_IT}(?=.*{_OF_A_LIMIT}).*(?:prompt|input)", re.I)
_LENGTH = re.compile(rf"{_NOT_OF_IT}(?!.*{_OF_A_LIMIT}).*(?:prompt|input).*(?:len|tok|size)", re.I)


def logged_lengths(rows: Frame) -> dict[str, Frame]:
    """Return {name: lengths} of the columns that hold lengths of prompts."""
    return _numbers(rows, _LENGTH)


def logged_limits(rows: Frame) -> dict[str, float]:
    """Return {name: limit} of the columns that hold one limit of the length of prompts."""
    found = _numbers(rows, _LIMIT)
    return {name: float(values.iloc[0]) for name, values in found.items() if values.nunique() == 1}


def _numbers(rows: Frame, pattern: re.Pattern[str]) -> dict[str, Frame]:
    names = [name for name in outside_columns(rows) if pattern.search(name.removeprefix(EXTRA_PREFIX))]
    return {name.removeprefix(EXTRA_PREFIX): rows[name] for name in names if _are_numbers(rows[name])}


def _are_numbers(values: Frame) -> bool:
    return bool(values.notna().all() and values.map(lambda value: isinstance(value, float)).all())
