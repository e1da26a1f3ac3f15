"""Math problems: rows of files, and the shapes of the built-in ones."""

import re
from collections.abc import Callable, Sequence

_NUMBER = re.compile(r"[0-9]+")


def _products(numbers: list[str]) -> list[str]:
    return sorted("*".join(sorted(pair)) for pair in (numbers[:2], numbers[2:]))


_SHAPES: dict[str, tuple[str, Callable[[list[str]], Sequence[str]]]] = {
    "#+#=?": ("add", sorted),
    "#-#=?": ("subtract", tuple),
    "#*#=?": ("multiply", sorted),
    "sort#": ("sort", lambda numbers: sorted(numbers[0])),
    "reverse#": ("reverse", tuple),
    "digitsum#": ("digit_sum", lambda numbers: sorted(numbers[0])),
    "#*#+#*#=?": ("products", _products),
    "next#,#,#": ("next", tuple),
}
"""Prompt in lower case, without spaces and with `#` for each number: its family, and its numbers' canonical order."""


def canonical_form(prompt: str) -> str | None:
    """Return the form that all trivial variants of a prompt share (47+38 and 38+47); None for any other shape."""
    found = _SHAPES.get("".join(_NUMBER.sub("#", prompt.lower()).split()))
    if found is None:
        return None
    family, normalise = found
    return f"{family}:{' '.join(normalise(_NUMBER.findall(prompt)))}"
