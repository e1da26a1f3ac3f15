"""What makes two repository problems near-duplicates: the change that solves them, names aside.

The text is the gold patch's lines with their context, without file names and places, and with every name of the code
replaced by its order of appearance, but for keywords, built-ins and attributes. Renaming a repository changes nothing
of it; an issue in other words, or other files around, neither.
"""

import builtins
import keyword
import re

_NAME = re.compile(r"(?<![\w.])[A-Za-z_]\w*")
_HEADERS = (
    "diff ",
    "index ",
    "--- ",
    "+++ ",
    "@@",
    "new file",
    "deleted file",
    "similarity ",
    "rename ",
    "old mode",
    "new mode",
)
_KEPT = {*keyword.kwlist, *dir(builtins)}


def identity_of(patch: str) -> str:
    """Return the canonical text of a unified diff."""
    lines = [line for line in patch.splitlines() if not line.startswith(_HEADERS)]
    code = [line for line in lines if not is_prose(line)]
    names = {name: f"name{place}" for place, name in enumerate(_names(code))}
    return "\n".join(_NAME.sub(lambda match: names.get(match.group(), match.group()), line) for line in lines)


def is_prose(line: str) -> bool:
    """Tell whether a line is part of a docstring or a comment, as far as one line shows."""
    text = line[1:].strip()
    return text.startswith(('"""', "'''", "#"))


def _names(lines: list[str]) -> list[str]:
    found = [name for line in lines for name in _NAME.findall(line) if name not in _KEPT]
    return list(dict.fromkeys(found))
