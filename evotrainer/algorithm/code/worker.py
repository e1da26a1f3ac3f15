"""Runs one function over many rows: a batch is one execution in the sandbox, one fork of a warm interpreter.

The sandbox gives no network, no files, a fixed hash seed, and bounds of time and memory (docs/sandbox.md). What comes
back is data of foreign code: it is checked for its type, finiteness and bounds before anything else sees it.
"""

import math
from collections.abc import Iterator, Sequence
from typing import Any

from evotrainer.config.code import CODE_KEYS, check_source, short
from evotrainer.errors import CodeError
from evotrainer.sandbox import Limits, Program, describe_end
from evotrainer.sandbox.sandbox import shared_sandbox

BATCH_ROWS = 256
LIMITS = Limits(cpu_seconds=10, wall_seconds=120, memory_bytes=512 << 20)
"""Of one batch: 39 ms of processor time a row."""

BOUNDS: dict[str, tuple[float, float]] = {
    "reward.code": (-1.0, 1.0),
    "reward.correction": (-10.0, 10.0),
    "data.weight_code": (0.0, 100.0),
}
"""Least and greatest value of functions that return a number; the others return true or false."""

_RUNNER = """
from code_file import {function}


def run(items):
    return [{function}(item) for item in items]
"""


def run_code(key: str, reference: str, source: str, items: Sequence[Any]) -> list[Any]:
    """Return the values of the code of `key` for rows, groups of rows, or problems, in their order.

    Raises:
        CodeError: the function raised, took too much, or returned what is no value of its kind.
        SandboxError: the sandbox itself failed, or none can be had.

    """
    check_source(key, source)
    place = f"{CODE_KEYS[key]} of {short(reference)}"
    values: list[Any] = []
    for batch in _batches(items):
        program = Program(
            _RUNNER.format(function=CODE_KEYS[key]), function="run", arguments=(batch,), files={"code_file.py": source}
        )
        execution = shared_sandbox().run(program, LIMITS)
        if execution.outcome != "ok":
            raise CodeError(f"{place} {describe_end(execution, LIMITS)}")
        values += _checked(key, place, execution.value, len(batch))
    return values


def _batches(items: Sequence[Any]) -> Iterator[list[Any]]:
    """Yield items in batches of at most BATCH_ROWS rows; a group counts as its rows and is not split."""
    batch: list[Any] = []
    size = 0
    for item in items:
        num_rows = len(item) if isinstance(item, list) else 1
        if batch and size + num_rows > BATCH_ROWS:
            yield batch
            batch, size = [], 0
        batch.append(item)
        size += num_rows
    if batch:
        yield batch


def _checked(key: str, place: str, values: Any, count: int) -> list[Any]:
    if not isinstance(values, list) or len(values) != count:
        raise CodeError(f"{place} returned something else than one value a call")
    return [_boolean(place, value) if key not in BOUNDS else _number(key, place, value) for value in values]


def _boolean(place: str, value: Any) -> bool:
    if not isinstance(value, bool):
        raise CodeError(f"{place} returned a {type(value).__name__} where true or false is meant")
    return value


def _number(key: str, place: str, value: Any) -> float:
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise CodeError(f"{place} returned a {type(value).__name__} where a number is meant")
    low, high = BOUNDS[key]
    if isinstance(value, float) and not math.isfinite(value):
        raise CodeError(f"{place} returned {value}, which is not finite")
    if not low <= value <= high:
        raise CodeError(f"{place} returned a number outside of [{low:g}, {high:g}]")
    return float(value)
