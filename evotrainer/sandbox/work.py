"""Emptying the work directory between two executions of the Landlock backend, whatever a program left in it."""

import os
import stat
from pathlib import Path


def empty_directory(top: Path) -> None:
    """Remove all that lies in a directory, without recursion and without following links.

    A directory's own directories are moved to the top before it is removed, so that no path grows long: a program may
    nest them deeper than a path or a call stack can be. They get names drawn now, when the program is gone: it could
    not take them first. Closed modes are opened first.
    """
    token, serial = os.urandom(16).hex(), 0
    while entries := list(top.iterdir()):
        for path in entries:
            if not _is_directory(path):
                path.unlink()
                continue
            path.chmod(0o700)
            for inner in list(path.iterdir()):
                if _is_directory(inner):
                    inner.chmod(0o700)
                    serial += 1
                    inner.rename(top / f".{token}-{serial}")
                else:
                    inner.unlink()
            path.rmdir()


def _is_directory(path: Path) -> bool:
    return stat.S_ISDIR(path.lstat().st_mode)
