"""The function's value on its way out of the sandbox: encoded strictly inside, parsed without trust outside."""

import json
from typing import Any


def encode_value(value: Any) -> str | None:
    """Return a value as JSON, or None where it is no JSON value. Runs inside the sandbox.

    Tuples become lists. A key that is no string is refused, where json would turn 1 into "1".
    """
    try:
        return json.dumps(_plain(value))
    except (TypeError, ValueError, RecursionError):
        return None


def _plain(value: Any) -> Any:
    if value is None or isinstance(value, bool | int | float | str):
        return value
    if isinstance(value, list | tuple):
        return [_plain(item) for item in value]
    if isinstance(value, dict) and all(isinstance(key, str) for key in value):
        return {key: _plain(item) for key, item in value.items()}
    raise TypeError(f"{type(value).__name__} is no JSON value")


def parse_result(data: bytes) -> tuple[bool, dict[str, Any]]:
    """Return whether the sandbox reported "ready", and what stands on the line after it.

    The first line is ours. What follows may be forged, and at worst states another answer than the program would give.
    """
    first, _, rest = data.partition(b"\n")
    if first != b'"ready"':
        return False, _object(first)
    return True, _object(rest.partition(b"\n")[0])


def _object(line: bytes) -> dict[str, Any]:
    try:
        value = json.loads(line)
    except (ValueError, RecursionError):
        return {}
    return value if isinstance(value, dict) else {}
