"""The shape of a row: what its reader looks into, declared beside the reader, which checks it first.

Keys that a shape does not declare are of any kind: what they hold is passed on, and checked as a column of the record.
"""

from collections.abc import Iterable
from typing import Annotated, Any, TypeVar

from pydantic import BaseModel, ConfigDict, Field, Strict, ValidationError

from evotrainer.errors import EvidenceError

T = TypeVar("T")

Number = Annotated[float, Strict()] | Annotated[bool, Strict()]
Text = str | list[Any] | None
"""A prompt or a completion: text, or messages."""
One = Annotated[list[T], Field(min_length=1, max_length=1)]
"""What stands in a list of one."""


class Shape(BaseModel):
    """Base of all shapes. A key may be left out or null, unless it has no default."""

    model_config = ConfigDict(extra="ignore", protected_namespaces=(), strict=True)


_MAX_NAMES = 30
_MAX_NAME = 60


def short(value: Any, limit: int = _MAX_NAME) -> str:
    """Return a value as text for a message, its middle left out where it is long."""
    text = str(value)
    return text if len(text) <= limit else f"{text[: limit // 2]}...{text[-limit // 4 :]} ({len(text)} characters)"


def listed(names: Iterable[Any]) -> str:
    """Return names for a message: the first of many, long ones shortened."""
    known = [short(name) for name in names]
    more = [f"{len(known) - _MAX_NAMES} more"] if len(known) > _MAX_NAMES else []
    return ", ".join([*known[:_MAX_NAMES], *more]) or "none"


def misfit(error: ValidationError, row: Any, where: str) -> EvidenceError:
    """Return the innermost thing that does not fit, with its place in the row; reasons of a union are one sentence."""
    errors = error.errors(include_url=False, include_context=False)
    deepest = max(errors, key=lambda one: len(_place(row, one["loc"])[0]))
    path, value = _place(row, deepest["loc"])
    if deepest["type"] == "missing":
        return EvidenceError(f"{where}: '{short('.'.join([*path, str(deepest['loc'][-1])]))}' is missing")
    reasons = dict.fromkeys(one["msg"] for one in errors if _place(row, one["loc"])[0] == path)
    return EvidenceError(f"{where}: '{short('.'.join(path))}': {' or '.join(reasons)} (got {str(value)[:60]!r})")


def _place(row: Any, loc: tuple[int | str, ...]) -> tuple[list[str], Any]:
    """Return the parts of a location that lead into a row, without the names of types, and what stands there."""
    path = []
    for part in loc:
        try:
            row = row[part]
        except (KeyError, IndexError, TypeError):
            continue
        path.append(str(part))
    return path, row
