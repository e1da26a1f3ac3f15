"""Small programs: rows in the styles of public data sets, and the statements of the built-in problems."""

import re

_HEADS = (
    "f(xs):",
    "f(s): s",
    "f(ws): dict of",
    "f(xs, k):",
    "read numbers, print",
    "read n and n rows, print for each row",
)
"""How the statements of the built-in problems begin."""

_FROM = re.compile(r"(?<= )(?:from ([3-9]) on|at least ([3-9]))\b")


def canonical_form(prompt: str) -> str | None:
    """Return the statement, in which "from 5 on" is "over 4", whatever its examples; None for any other text."""
    statement = " ".join(prompt.split("\n", 1)[0].split())
    if not statement.startswith(_HEADS):
        return None
    return _FROM.sub(lambda match: f"over {int(match[1] or match[2]) - 1}", statement)
