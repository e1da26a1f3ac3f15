"""One checked line of a problem file, whatever its domain, and how its columns are named.

`problem` is what the policy is shown; `identity` is the text by which near-duplicates are found, which for a repository
is more than its issue. A domain's `parse_row` turns the JSON object of one line into a Row.

A file may call its columns otherwise: `columns` maps a wanted name to the name in the file, which may lead into an
object: reward_model.ground_truth.
"""

import hashlib
import json
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from evotrainer.errors import DataError

REPOSITORIES = "repositories"
"""Key under which a row is told where the clones of repositories lie."""


@dataclass(frozen=True)
class Reading:
    """What a person says about the columns of a file."""

    columns: Mapping[str, str] = field(default_factory=dict)
    repositories: str = ""
    """Absolute path of a folder of clones, for rows of repositories."""

    def apply(self, values: dict[str, Any], place: str) -> dict[str, Any]:
        """Return a row's values with wanted names; raises DataError for a column that the row lacks."""
        named = {wanted: _found(values, found, place) for wanted, found in self.columns.items()}
        taken = {found for found in self.columns.values() if "." not in found} - self.columns.keys()
        rest = {key: value for key, value in values.items() if key not in taken}
        own = {REPOSITORIES: self.repositories} if self.repositories else {}
        return own | rest | named


def unknown_columns(values: Mapping[str, Any], wanted: str, example: str, place: str) -> DataError:
    """Return the error for a row in no known form, with the keys found and those wanted."""
    found = ", ".join(map(str, values)) or "none"
    return DataError(
        f"{place}: the row has the keys {found[:300]}: wanted are {wanted}; name the columns with --map {example} "
        f"(in a campaign: domain.columns={example})"
    )


def _found(values: dict[str, Any], name: str, place: str) -> Any:
    value: Any = values
    for part in [name] if name in values else name.split("."):
        if not isinstance(value, dict) or part not in value:
            raise DataError(f"{place}: --map names the column '{name}', the row has {', '.join(values) or 'none'}")
        value = value[part]
    return value


DEFAULT_FAMILY = "own"
SYSTEM_PROMPT = "system_prompt"
"""Key of `Row.data`: the system message that a row's own prompt has; domain.system_prompt takes its place."""


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
        found = ", ".join(map(str, values))[:300] or "none"
        raise DataError(
            f"{place}: '{key}' is missing; the row has the keys {found}: name its column with --map {key}=COLUMN"
        )
    value = values[key]
    if isinstance(value, bool) or not isinstance(value, str | int | float):
        raise DataError(f"{place}: '{key}' must be text or a number, found {json.dumps(value)[:40]}")
    if isinstance(value, float) and not math.isfinite(value):
        raise DataError(f"{place}: '{key}' is {json.dumps(value)}, which is no finite number: give its value as text")
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


def id_of(values: dict[str, Any], keys: Sequence[str], problem: str, place: str) -> str:
    """Return a row's id, by the first of these keys that it has; else a hash of its problem."""
    key = next((key for key in keys if key in values), None)
    return text_of(values, key, place) if key else hashlib.sha256(problem.encode()).hexdigest()[:16]


def prompt_of(values: dict[str, Any], key: str, place: str, role: str = "user") -> tuple[str, dict[str, Any]]:
    """Return the text of a prompt, and {SYSTEM_PROMPT: its system message} where it has one.

    A prompt is text, or a list of messages with one of `role`; raises DataError for a conversation of several.
    """
    if not isinstance(values.get(key), list):
        return text_of(values, key, place), {}
    messages = values[key]
    if not all(isinstance(each, dict) and isinstance(each.get("content"), str) for each in messages):
        raise DataError(f"{place}: '{key}' must be text or a list of messages with role and content")
    said = [each["content"] for each in messages if each.get("role") == role]
    others = [each.get("role") for each in messages if each.get("role") not in (role, "system")]
    if len(said) != 1 or others:
        raise DataError(f"{place}: '{key}' must hold one message of the {role}, beside a system message")
    system = "\n\n".join(each["content"] for each in messages if each.get("role") == "system")
    return text_of({key: said[0]}, key, place), {SYSTEM_PROMPT: system} if system else {}
