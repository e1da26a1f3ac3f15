"""One checked line of a problem file, whatever its domain.

`problem` is what the policy is shown; `identity` is the text by which near-duplicates are found, which for a repository
is more than its issue. A domain's `parse_row` turns the JSON object of one line into a Row.
"""

import json
from dataclasses import dataclass
from typing import Any

from evotrainer.errors import DataError

DEFAULT_FAMILY = "own"


@dataclass(frozen=True)
class Row:
    """One checked line of a problem file. `data` holds what only its domain reads."""

    row_id: str
    problem: str
    answer: str
    family: str
    difficulty: float
    data: dict[str, Any]
    identity: str
    place: str = ""
    """file:line, where it was read from a file."""


def text_of(values: dict[str, Any], key: str, place: str) -> str:
    """Return a key's value as text; a number is taken as written."""
    if key not in values:
        raise DataError(f"{place}: '{key}' is missing")
    value = values[key]
    if isinstance(value, bool) or not isinstance(value, str | int | float):
        raise DataError(f"{place}: '{key}' must be text or a number, found {json.dumps(value)[:40]}")
    if not str(value).strip():
        raise DataError(f"{place}: '{key}' is empty")
    return str(value).strip()


def family_of(values: dict[str, Any], place: str) -> str:
    """Return the family of a row, `own` where it names none."""
    return text_of(values, "family", place) if "family" in values else DEFAULT_FAMILY


def difficulty_of(values: dict[str, Any], place: str) -> float:
    """Return the a-priori difficulty in [0, 1], 0 where none is given."""
    value = values.get("difficulty", 0.0)
    if isinstance(value, bool) or not isinstance(value, int | float) or not 0 <= value <= 1:
        raise DataError(f"{place}: 'difficulty' must be a number in [0, 1], found {json.dumps(value)[:40]}")
    return float(value)
