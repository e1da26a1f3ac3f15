"""Landlock: the file system, TCP, signals and abstract sockets that this process and its children may reach.

The second backend, for machines whose kernel or container refuses user namespaces. It needs no privilege. What it does
not restrict (metadata of files, owners, modes, UDP, unix sockets with a path) is refused by the seccomp filter or
listed in docs/sandbox.md. Source: Documentation/userspace-api/landlock.rst of the kernel.

The work directory lies on a disk that executions share, so it is emptied after each, whatever a program left in it.
"""

import ctypes
import os
import stat
import struct
from collections.abc import Iterable
from pathlib import Path

from evotrainer.sandbox import kernel

MIN_ABI = 2
"""Linux 5.19: directories can be moved within the work directory, which emptying it relies on."""

_CREATE_RULESET, _ADD_RULE, _RESTRICT_SELF = 444, 445, 446
_VERSION_FLAG, _RULE_PATH_BENEATH = 1, 1

_EXECUTE, _WRITE_FILE, _READ_FILE, _READ_DIR = 1, 2, 4, 8
_TRUNCATE, _IOCTL_DEV = 1 << 14, 1 << 15
_NUM_RIGHTS = {2: 14, 3: 15, 4: 15}
_ALL_RIGHTS_COUNT = 16
_OF_FILES = _EXECUTE | _WRITE_FILE | _READ_FILE | _TRUNCATE | _IOCTL_DEV

READ = _READ_FILE | _READ_DIR | _EXECUTE
"""Whether a program may be started at all is the filter's to say (seccomp.py)."""
WRITE_DEVICE = _READ_FILE | _WRITE_FILE
_DIRECTORY = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC


def abi_version() -> int:
    """Return the version of Landlock that the kernel has; 0 for none."""
    try:
        return kernel.syscall("landlock_create_ruleset", _CREATE_RULESET, None, 0, _VERSION_FLAG)
    except OSError:
        return 0


def restrict(readable: Iterable[str], writable: Iterable[str], devices: Iterable[str]) -> None:
    """Confine this process and its children irrevocably; a path that does not exist, or is closed to this user, is
    skipped.

    Raises OSError where the kernel's Landlock is missing or too old.
    """
    abi = abi_version()
    if abi < MIN_ABI:
        raise OSError(f"Landlock ABI {abi}, at least {MIN_ABI} (Linux 5.19) is needed")
    all_rights = (1 << _NUM_RIGHTS.get(abi, _ALL_RIGHTS_COUNT)) - 1
    ruleset = _create_ruleset(abi, all_rights)
    for paths, rights in ((readable, READ), (writable, all_rights & ~_EXECUTE), (devices, WRITE_DEVICE)):
        for path in paths:
            _add_rule(ruleset, path, rights)
    kernel.prctl(kernel.PR_SET_NO_NEW_PRIVS, 1)
    kernel.syscall("landlock_restrict_self", _RESTRICT_SELF, ruleset, 0)
    os.close(ruleset)


def _create_ruleset(abi: int, all_rights: int) -> int:
    """Handle every right the kernel knows: files, TCP bind and connect (ABI 4), sockets and signals (ABI 6)."""
    words = [all_rights, *([3] if abi >= 4 else []), *([3] if abi >= 6 else [])]
    record = (ctypes.c_uint64 * len(words))(*words)
    return kernel.syscall("landlock_create_ruleset", _CREATE_RULESET, record, ctypes.sizeof(record), 0)


def _add_rule(ruleset: int, path: str, rights: int) -> None:
    try:
        descriptor = os.open(path, os.O_PATH | os.O_CLOEXEC)
    except (FileNotFoundError, PermissionError):
        return
    if not stat.S_ISDIR(os.fstat(descriptor).st_mode):
        rights &= _OF_FILES
    record = ctypes.create_string_buffer(struct.pack("=Qi", rights, descriptor), 12)
    kernel.syscall("landlock_add_rule", _ADD_RULE, ruleset, _RULE_PATH_BENEATH, record, 0)
    os.close(descriptor)


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
