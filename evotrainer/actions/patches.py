"""Files that the text of a patch names: unified diffs, and the form of apply_patch."""

import re

_NAMED = re.compile(
    r"^(?:\*\*\* (?:Add|Update|Delete) File: |\*\*\* Move to: |(?:\+\+\+|---) (?:[ab]/)?)(?!/dev/null)(\S[^\t\n]*)",
    re.MULTILINE,
)


def patched_files(text: str) -> list[str]:
    """Return the paths that the patch writes, sorted."""
    return sorted({match[1].strip() for match in _NAMED.finditer(text)})
