"""One record in one file: how it is read, what is said of a damaged one, and which bytes it is written as."""

import json
import math
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Generic, TypeVar

from pydantic import ValidationError

from evotrainer.campaign.atomic import write_atomic
from evotrainer.errors import LineageError
from evotrainer.records import Record

R = TypeVar("R", bound=Record)
RESTORE = "restore it with git, or run its stage again"


def in_declared_order(indent: int) -> Callable[[Record], str]:
    """Return an encoder to JSON with the fields of a record in the order of their declaration."""
    return lambda record: record.model_dump_json(indent=indent) + "\n"


def in_key_order(indent: int, without: frozenset[str] = frozenset()) -> Callable[[Record], str]:
    """Return an encoder to JSON with sorted keys; fields named in `without` are left out, and NaN is an error."""

    def encode(record: Record) -> str:
        values = record.model_dump(mode="json", exclude=set(without))
        return json.dumps(values, indent=indent, sort_keys=True, allow_nan=False) + "\n"

    return encode


@dataclass(frozen=True)
class Document(Generic[R]):
    """One record in one file."""

    path: Path
    kind: type[R]
    encode: Callable[[Record], str]

    def exists(self) -> bool:
        """Tell whether the file is there."""
        return self.path.is_file()

    def read(self) -> R:
        """Return the record; raises LineageError where the file is missing or damaged."""
        try:
            return self.parse(self.path.read_bytes(), self.path)
        except FileNotFoundError:
            raise LineageError(f"{self.path} does not exist: run the stage that writes it") from None

    def find(self) -> R | None:
        """Return the record, or None where there is no file; raises LineageError where it is damaged."""
        return self.read() if self.exists() else None

    def parse(self, content: bytes | str, place: Path | str) -> R:
        """Return the record that `content` holds; `place` names its origin in errors."""
        try:
            return self.kind.model_validate_json(content)
        except ValidationError as error:
            raise LineageError(f"{place} is damaged ({first_error(error)}): {RESTORE}") from None

    def write(self, record: R) -> None:
        """Replace the file as a whole."""
        write_atomic(self.path, self.encode(record))


def read_numbers(path: Path) -> dict[str, float]:
    """Return the finite numbers of a flat JSON object, other values left out; empty where there is no file."""
    if not path.is_file():
        return {}
    try:
        values = json.loads(path.read_bytes())
    except ValueError as error:
        raise LineageError(f"{path} is not JSON ({error}): {RESTORE}") from None
    return {name: float(value) for name, value in values.items() if _is_number(value)}


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and math.isfinite(value)


def first_error(error: ValidationError) -> str:
    """Return the first place and problem that a validation names."""
    first = error.errors()[0]
    return f"{'.'.join(map(str, first['loc'])) or 'content'}: {first['msg'].removeprefix('Value error, ')}"
