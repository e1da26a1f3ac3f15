"""Emptying the work directory of the Landlock backend, whatever a program left in it."""

import os
import stat
from pathlib import Path

_DIRECTORY = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC


def empty_directory(top: Path) -> None:
    """Remove all that lies in a directory, without recursion, by descriptors and so without following links.

    A directory's own directories are moved to the top before it is removed, so that no path grows long: a program may
    nest them deeper than a path or a call stack can be. They get names drawn now: a program that is gone could not take
    them first. Closed modes are opened first.
    """
    token, serial = os.urandom(16).hex(), 0
    place = os.open(top, _DIRECTORY)
    try:
        while names := os.listdir(place):  # noqa: PTH208 (a descriptor)
            for name in names:
                if not _is_directory(name, place):
                    os.unlink(name, dir_fd=place)
                    continue
                _open_mode(name, place)
                inner = os.open(name, _DIRECTORY, dir_fd=place)
                try:
                    for below in os.listdir(inner):  # noqa: PTH208 (a descriptor)
                        if _is_directory(below, inner):
                            _open_mode(below, inner)
                            serial += 1
                            os.rename(below, f".{token}-{serial}", src_dir_fd=inner, dst_dir_fd=place)
                        else:
                            os.unlink(below, dir_fd=inner)
                finally:
                    os.close(inner)
                os.rmdir(name, dir_fd=place)
    finally:
        os.close(place)


def _is_directory(name: str, place: int) -> bool:
    return stat.S_ISDIR(os.stat(name, dir_fd=place, follow_symlinks=False).st_mode)


def _open_mode(name: str, place: int) -> None:
    """Let its owner into a directory. Root needs none of it, and might be led elsewhere by a program that is dying."""
    if os.geteuid() != 0:
        os.chmod(name, 0o700, dir_fd=place)
