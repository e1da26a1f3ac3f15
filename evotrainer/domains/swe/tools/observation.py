"""What a policy is shown: short, the same each time, and in characters that every policy's vocabulary holds.

A character outside printable ASCII stands as a Python escape (é as \\xe9, a tab as \\t), so that nothing is lost and no
episode fails for it. The opening of a control token (<|) is split, so that a file cannot speak as another role.
"""

import re
from dataclasses import dataclass

_OTHER = re.compile(r"[^\n -~]")


@dataclass(frozen=True)
class Answer:
    """What a tool says, and whether it could do what it was asked."""

    text: str
    ok: bool = True


def shown(text: str, max_characters: int) -> str:
    """Return a text as the policy may see it, cut at a line's end where one is near, with what was left out counted."""
    text = _OTHER.sub(lambda match: match.group().encode("unicode_escape").decode(), text.rstrip("\n"))
    text = text.replace("<|", "< |")
    if len(text) <= max_characters:
        return text
    kept = text[:max_characters]
    line_end = kept.rfind("\n")
    kept = kept[:line_end] if line_end > max_characters // 2 else kept
    return f"{kept}\n... {len(text) - len(kept)} more characters"


def first_line(text: str, max_characters: int = 120) -> str:
    """Return the first line of a text, cut."""
    line = text.strip().partition("\n")[0]
    return line if len(line) <= max_characters else f"{line[: max_characters - 3]}..."
