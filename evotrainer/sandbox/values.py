"""Values on their way out of the sandbox: encoded strictly inside, parsed without trust and compared strictly outside.

JSON has no tuple, and an answer that is a tuple where a list is asked for is a wrong one: tuples and dictionaries
travel as {"tuple": [...]} and {"dict": [[key, value], ...]}, so that neither can be taken for the other.

Python holds 1, 1.0 and True for equal; an answer of the wrong type is a wrong answer. NaN equals itself: as an answer
it is one value.
"""

import json
import math
from typing import Any


def values_equal(expected: Any, given: Any) -> bool:
    """Return whether two JSON values or tuples agree in type and value throughout; dictionaries in any order."""
    pending = [(expected, given)]
    while pending:
        left, right = pending.pop()
        if type(left) is not type(right):
            return False
        if isinstance(left, list | tuple):
            if len(left) != len(right):
                return False
            pending.extend(zip(left, right, strict=True))
        elif isinstance(left, dict):
            if left.keys() != right.keys():
                return False
            pending.extend((left[key], right[key]) for key in left)
        elif not (left == right or (isinstance(left, float) and math.isnan(left) and math.isnan(right))):
            return False
    return True


def encode_value(value: Any) -> str | None:
    """Return a value as one line of JSON, or None where it is no JSON value. Runs inside the sandbox.

    A key that is no string is refused, where json would turn 1 into "1".
    """
    try:
        return json.dumps(_tagged(value))
    except (TypeError, ValueError, RecursionError):
        return None


def _tagged(value: Any) -> Any:
    if value is None or isinstance(value, bool | int | float | str):
        return value
    if isinstance(value, list):
        return [_tagged(item) for item in value]
    if isinstance(value, tuple):
        return {"tuple": [_tagged(item) for item in value]}
    if isinstance(value, dict) and all(isinstance(key, str) for key in value):
        return {"dict": [[key, _tagged(item)] for key, item in value.items()]}
    raise TypeError(f"{type(value).__name__} is no JSON value")


def parse_result(data: bytes, num_lines: int) -> tuple[bool, list[dict[str, Any]]]:
    """Return whether the sandbox reported "ready", and what stands on the lines after it, `num_lines` at most.

    The first line is ours. What follows may be forged, and at worst states other answers than the program would give.
    """
    first, *rest = data.split(b"\n", num_lines + 1)
    if first != b'"ready"':
        return False, [_object(first)]
    return True, [_object(line) for line in rest[:num_lines] if line]


def _object(line: bytes) -> dict[str, Any]:
    try:
        value = json.loads(line, object_hook=_untagged)
    except (ValueError, RecursionError):
        return {}
    return value if isinstance(value, dict) else {}


def _untagged(value: dict[str, Any]) -> Any:
    items = value.get("tuple")
    if isinstance(items, list) and len(value) == 1:
        return tuple(items)
    pairs = value.get("dict")
    if isinstance(pairs, list) and len(value) == 1 and all(_is_pair(pair) for pair in pairs):
        return dict(pairs)
    return value


def _is_pair(pair: Any) -> bool:
    return isinstance(pair, list) and len(pair) == 2 and isinstance(pair[0], str)
