"""Files and folders that appear whole or not at all, and one record in one file: how it is read and written.

A record that is missing or damaged is named with the remedy.
"""

import json
import math
import shutil
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Generic, TypeVar

from pydantic import ValidationError

from evotrainer.errors import LineageError
from evotrainer.records import Record

_PARTIAL = ".partial"
WHY = "WHY"
"""The file of an output that has no rows or weights, with the reason."""


def write_atomic(path: Path, content: bytes | str) -> None:
    """Replace a file by `content` (text is UTF-8); its folder is created where missing."""
    with replacing(path) as partial:
        partial.write_bytes(content.encode() if isinstance(content, str) else content)


def write_json_atomic(path: Path, values: Any, indent: int = 1) -> None:
    """Replace a file by JSON with sorted keys, so that equal values are equal bytes; NaN raises ValueError."""
    write_atomic(path, json.dumps(values, indent=indent, sort_keys=True, allow_nan=False) + "\n")


@contextmanager
def replacing(path: Path) -> Iterator[Path]:
    """Give a path to write a file to; it takes the place of `path` when the block ends without an error."""
    path.parent.mkdir(parents=True, exist_ok=True)
    partial = path.with_name(f"{path.name}{_PARTIAL}")
    try:
        with naming(path):
            yield partial
            partial.replace(path)
    finally:
        partial.unlink(missing_ok=True)


@contextmanager
def naming(path: Path) -> Iterator[None]:
    """Let a write that the disk refuses in the block say of which file: the system does not."""
    try:
        yield
    except OSError as error:
        error.filename = error.filename or str(path)
        raise


def emptied_because(reason: str, *folders: Path) -> None:
    """Make folders anew that hold nothing but a file with the reason."""
    for folder in folders:
        write_atomic(emptied(folder) / WHY, f"{reason}\n")


def emptied(folder: Path) -> Path:
    """Return a folder that was made anew, without content."""
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    return folder


@contextmanager
def new_folder(path: Path) -> Iterator[Path]:
    """Give an empty folder to fill; it becomes `path`, which must not exist, when the block ends without an error."""
    partial = path.with_name(f"{path.name}{_PARTIAL}")
    emptied(partial)
    try:
        yield partial
        partial.rename(path)
    finally:
        shutil.rmtree(partial, ignore_errors=True)


def split_card(card: Path) -> tuple[str, str]:
    """Return the YAML header of a model card, its marks included, and the text below; both empty without a card."""
    text = card.read_text(encoding="utf-8", errors="replace") if card.is_file() else ""
    header, mark, below = text.removeprefix("---\n").partition("\n---\n")
    return (f"---\n{header}{mark}", below) if text.startswith("---\n") and mark else ("", text)


def remove_partial(root: Path) -> None:
    """Remove what killed writers left below a folder; nobody may be writing there."""
    for partial in list(root.rglob(f"*{_PARTIAL}")):
        if partial.is_dir():
            shutil.rmtree(partial)
        else:
            partial.unlink(missing_ok=True)


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
