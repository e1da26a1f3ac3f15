"""The program in a response: the format gate, its lenient reading, and what the text of a program holds.

The gate: the response has exactly one fenced block (three backticks, with or without `python`), which is the program.
The text is read token by token and never parsed or run here: a parser can be brought down by what it is given to read.
Nothing here takes longer than linear in a response: fences are found line by line.
"""

import io
import re
import tokenize
from collections.abc import Iterator
from itertools import islice

MAX_READ_CHARACTERS = 50_000
"""Of a program; what stands behind them is run, but not looked through."""

_FENCE = re.compile(r"^```.*$", re.MULTILINE)
_OPENING = re.compile(r"```(?:python3?|py)?[ \t]*")


def extract_program(response: str) -> str | None:
    """Return the program that passes the format gate, or None."""
    fences = list(islice(_FENCE.finditer(response), 3))
    if len(fences) != 2:
        return None
    opening, closing = fences
    if not _OPENING.fullmatch(opening.group()) or closing.group().rstrip(" \t") != "```":
        return None
    program = response[opening.end() + 1 : closing.start()].removeprefix("\ufeff")
    return program if program.strip() else None


def extract_leniently(response: str) -> str | None:
    """Return what a benevolent reader takes for the program: the last block, closed or not, else the whole response."""
    parts = [part for part in _FENCE.split(response) if part.strip()]
    return parts[-1].removeprefix("\ufeff") if parts else None


def literals(source: str) -> frozenset[str]:
    """Return numbers and strings that stand in a source, as text; as many as can be read of a broken one."""
    kinds = (tokenize.NUMBER, tokenize.STRING)
    return frozenset(text.strip("\"'") for kind, text in _tokens(source) if kind in kinds)


def _tokens(source: str) -> Iterator[tuple[int, str]]:
    try:
        for token in tokenize.generate_tokens(io.StringIO(source[:MAX_READ_CHARACTERS]).readline):
            yield token.type, token.string
    except (tokenize.TokenError, SyntaxError):
        return
