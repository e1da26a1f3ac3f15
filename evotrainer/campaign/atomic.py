"""Writing files and folders so that they appear whole or not at all, whatever ends the process midway."""

import json
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

_PARTIAL = ".partial"


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
        yield partial
        partial.replace(path)
    finally:
        partial.unlink(missing_ok=True)


@contextmanager
def new_folder(path: Path) -> Iterator[Path]:
    """Give an empty folder to fill; it becomes `path`, which must not exist, when the block ends without an error."""
    partial = path.with_name(f"{path.name}{_PARTIAL}")
    shutil.rmtree(partial, ignore_errors=True)
    partial.mkdir(parents=True)
    yield partial
    partial.rename(path)


def remove_partial(root: Path) -> None:
    """Remove what killed writers left below a folder; nobody may be writing there."""
    for partial in list(root.rglob(f"*{_PARTIAL}")):
        if partial.is_dir():
            shutil.rmtree(partial)
        else:
            partial.unlink(missing_ok=True)
