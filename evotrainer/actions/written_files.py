"""Files that a patch names, and files that a piece of Python writes, as far as their texts show.

Patches are unified diffs and the form of apply_patch. Python is one-liners and notebook cells of scaffolds, read by
pattern and not run: a path given as text, or through a name that was bound to text before. Code that writes to what it
computes is an edit of unknown files.
"""

import re

_PATCHED = re.compile(
    r"^(?:\*\*\* (?:Add|Update|Delete) File: |\*\*\* Move to: |(?:\+\+\+|---) (?:[ab]/)?)(?!/dev/null)(\S[^\t\n]*)",
    re.MULTILINE,
)
_TEXT = r"""[rRfFbBuU]{0,2}(?:'([^'\n]*)'|"([^"\n]*)")"""
_NAMED = re.compile(rf"^[ \t;]*(\w+)\s*=\s*(?:[\w.]*Path\(\s*)?{_TEXT}", re.MULTILINE)
_OPENED = re.compile(rf"""\bopen\(\s*(?:{_TEXT}|([\w.]+))\s*,\s*(?:mode\s*=\s*)?['"][rbt]{{0,2}}[wax+]""")
_PATH_WRITTEN = re.compile(rf"""(?:Path\(\s*(?:{_TEXT}|([\w.]+))\s*\)|\b([\w.]+))\.write_(?:text|bytes)\(""")
_MAX_CHARS = 20_000


def patched_files(text: str) -> list[str]:
    """Return the paths that the patch writes, sorted."""
    return sorted({match[1].strip() for match in _PATCHED.finditer(text)})


def written_files(code: str) -> list[str] | None:
    """Return the paths that the code writes; None where it writes nothing, an empty list where that is unknown."""
    code = code[:_MAX_CHARS]
    if "open(" not in code and ".write_" not in code:
        return None
    named = {match[1]: match[2] or match[3] for match in _NAMED.finditer(code)}
    found = [(match[1] or match[2], match[3]) for match in _OPENED.finditer(code)]
    found += [(match[1] or match[2], match[3] or match[4]) for match in _PATH_WRITTEN.finditer(code)]
    paths = [text or named.get(name or "") for text, name in found]
    return sorted({path for path in paths if path}) if found else None
