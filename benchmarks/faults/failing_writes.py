"""Fails writes of every Python process of a checkout, as a full, read-only or limited disk does.

The bench copies this file to its checkout as `sitecustomize.py`, which each Python imports at its start; the copy does
nothing until the file named by FAILING_WRITES exists: {"part": of the path, "at": n, "number": of the error}. From the
n-th write on, all that match fail, until the file is gone. Writes are counted by the length of a second file.
"""

import json
import os
import sys
from contextlib import suppress
from typing import Any

WRITING = os.O_WRONLY | os.O_RDWR | os.O_CREAT
_ORDER = os.environ.get("FAILING_WRITES", "")


def _refuse(event: str, arguments: tuple[Any, ...]) -> None:
    """Raise the error that is asked for, where an event would write below the place."""
    if event == "open":
        path = arguments[0] if isinstance(arguments[2], int) and arguments[2] & WRITING else None
    elif event in ("os.rename", "os.link"):
        path = arguments[1]
    else:
        path = arguments[0] if event == "os.mkdir" else None
    if not isinstance(path, str | os.PathLike) or os.fspath(path).startswith(_ORDER):
        return
    with suppress(FileNotFoundError, ValueError), open(_ORDER) as file:  # noqa: PTH123 - in every process: no pathlib
        order = json.load(file)
        if order["part"] in f"{os.path.abspath(os.fspath(path))}/" and _counted() >= order["at"]:  # noqa: PTH100
            _fail(order["number"], str(path))


def _counted() -> int:
    """Count one write; return how many there were in all processes."""
    descriptor = os.open(f"{_ORDER}.count", os.O_WRONLY | os.O_CREAT | os.O_APPEND)
    try:
        os.write(descriptor, b".")
        return os.fstat(descriptor).st_size
    finally:
        os.close(descriptor)


def _fail(number: int, path: str) -> None:
    raise OSError(number, os.strerror(number), path)


if _ORDER:
    sys.addaudithook(_refuse)
