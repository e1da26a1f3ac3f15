"""Whether a path that a person names can be read as a file, and what to do where it cannot.

A pipe would be waited for without end, and a device like /dev/zero be read without end.
"""

import os
import stat
from pathlib import Path

_KINDS = (
    (stat.S_ISDIR, "is a folder: name a file in it"),
    (stat.S_ISFIFO, "is a pipe, no plain file: write what it gives to a file first"),
    (stat.S_ISSOCK, "is a socket, no plain file: write what it gives to a file first"),
)
_MAX_NAME = 200
"""Characters of a path that are shown."""


def why_unreadable(path: Path) -> str:
    """Return why a path cannot be read as a plain file, a sentence with the remedy; empty where it can."""
    name = str(path) if len(str(path)) <= _MAX_NAME else f"{str(path)[:_MAX_NAME]}..."
    try:
        mode = path.stat().st_mode
    except (FileNotFoundError, NotADirectoryError):
        has_link = path.is_symlink()
        return f"{name} {'is a link to a file that is not there' if has_link else 'does not exist'}: check its name"
    except (OSError, RuntimeError, ValueError) as error:  # a loop of links, a name too long, a byte 0 in it
        reason = error.strerror if isinstance(error, OSError) and error.strerror else str(error)
        return f"{name} cannot be read ({reason}): name another file"
    if not stat.S_ISREG(mode):
        kind = next((words for is_kind, words in _KINDS if is_kind(mode)), "is a device, no plain file: name a file")
        return f"{name} {kind}"
    return "" if os.access(path, os.R_OK) else f"{name} cannot be read: you have no permission to"
