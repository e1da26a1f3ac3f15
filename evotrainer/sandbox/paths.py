"""What a sandboxed interpreter may read: its own standard library and the system's shared libraries.

The program runs in a fork of an interpreter that is already loaded, so neither a binary nor a shell is needed inside.
"""

import shutil
import stat
import sys
import sysconfig
from collections.abc import Iterable, Sequence
from pathlib import Path

DEVICES = ("/dev/null", "/dev/zero", "/dev/random", "/dev/urandom")

_SYSTEM = ("/lib", "/lib64", "/usr/lib", "/usr/lib64", "/etc/ld.so.cache", "/usr/share/zoneinfo", "/etc/localtime")


def standard_library() -> list[str]:
    """Return the import path of the standard library: modules, then extension modules."""
    return [sysconfig.get_path("stdlib"), str(sysconfig.get_config_var("DESTSHARED"))]


def readable_paths(import_paths: Sequence[str]) -> list[str]:
    """Return what exists of all that may be read, an outer directory before an inner one, each named once."""
    base = Path(sys.base_prefix) / "lib"
    wanted = sorted({*_SYSTEM, str(base), *standard_library(), *import_paths})
    kept: list[str] = []
    for path in wanted:
        if Path(path).exists() and not any(Path(path).is_relative_to(outer) for outer in kept):
            kept.append(path)
    return kept


def is_open_to_all(path: str) -> bool:
    """Return whether a user without rights of their own can reach and read a directory."""
    place = Path(path).resolve()
    return all(parent.stat().st_mode & stat.S_IXOTH for parent in place.parents) and bool(
        place.stat().st_mode & stat.S_IROTH
    )


def copy_standard_library(target: Path) -> list[str]:
    """Put the standard library below `target`, by hard links on the same disk, and return its import path.

    For an interpreter below a closed directory (/root) when the sandbox runs as another user and cannot mount it.
    """
    modules, extensions = standard_library()
    shutil.copytree(modules, target, ignore=_left_out, copy_function=_link_or_copy)
    inside = Path(extensions).is_relative_to(modules)
    return [str(target), str(target / Path(extensions).relative_to(modules)) if inside else extensions]


def _link_or_copy(source: str, target: str) -> None:
    try:
        Path(target).hardlink_to(source)
    except OSError:
        shutil.copy2(source, target)


def _left_out(directory: str, names: Iterable[str]) -> list[str]:
    unused = ("site-packages", "dist-packages", "test", "tests", "idlelib", "turtledemo", "ensurepip", "lib2to3")
    return [name for name in names if name in unused or name.startswith("config-")]
