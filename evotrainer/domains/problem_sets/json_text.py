"""JSON as problem files may hold it: one value, of texts that have bytes, numbers that can be printed, and few levels.

JSON can write what nothing behind it can carry: half of a surrogate pair, which no file, process or policy can be
given; a number of thousands of digits, which Python neither reads nor prints; lists so deep that whatever walks them
ends. A row that holds such a thing is refused where it is read, so that nothing after it has to expect it.
"""

import json
import re
from typing import Any

MAX_LEVELS = 100
"""Lists and objects within each other."""

_HALF = re.compile("[\ud800-\udfff]")


class JsonError(ValueError):
    """Text that is no JSON, or holds what cannot be used; the message says what, after a name for the text."""


def read_json(text: str) -> Any:
    """Return the value of a JSON text; raises JsonError."""
    try:
        value = json.loads(text)
    except json.JSONDecodeError as error:
        where = f"line {error.lineno}, column {error.colno}" if error.lineno > 1 else f"column {error.colno}"
        raise JsonError(f"is not JSON ({error.msg} at {where})") from None
    except RecursionError:
        raise JsonError(f"holds more than {MAX_LEVELS} levels of lists and objects") from None
    except ValueError:  # the interpreter's own bound on the digits of a number
        raise JsonError("holds a number with too many digits") from None
    _check(value)
    return value


def _check(value: Any) -> None:
    level = [value]
    for _ in range(MAX_LEVELS + 1):
        if any(isinstance(each, str) and not each.isascii() and _HALF.search(each) for each in level):
            raise JsonError("holds half of a surrogate pair, which is no character")
        within = [each for each in level if isinstance(each, dict | list)]
        if not within:
            return
        level = [part for each in within for part in _parts(each)]
    raise JsonError(f"holds more than {MAX_LEVELS} levels of lists and objects")


def _parts(within: dict[str, Any] | list[Any]) -> list[Any]:
    return [*within.keys(), *within.values()] if isinstance(within, dict) else within
