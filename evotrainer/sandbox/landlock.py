"""Landlock: the file system, TCP, signals and abstract sockets that this process and its children may reach.

The second backend, for machines whose kernel or container refuses user namespaces. It needs no privilege. What it does
not restrict (metadata of files, owners, modes, UDP, unix sockets with a path) is refused by the seccomp filter or
listed in docs/sandbox.md. Source: Documentation/userspace-api/landlock.rst of the kernel.

The work directory lies on a disk that executions share, so it is emptied after each. Where that fails, the process is
replaced and its directory removed.
"""

import contextlib
import ctypes
import os
import shutil
import stat
import struct
import subprocess
from collections.abc import Iterable
from pathlib import Path

from evotrainer.sandbox import kernel

MIN_ABI = 2
"""Linux 5.19: programs can move files between folders of the work directory."""

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


def empty_directory(top: Path) -> bool:
    """Remove what lies in a directory, following no links; return whether all is gone.

    What a program nested deeper than a call stack is, or closed to its own user, stays.
    """
    for path in list(top.iterdir()):
        with contextlib.suppress(OSError, RecursionError):
            if path.is_dir() and not path.is_symlink():
                shutil.rmtree(path)
            else:
                path.unlink()
    return not any(top.iterdir())


def remove_directory(top: Path) -> None:
    """Remove a directory with all that programs left in it, however deep or closed; no program may still run in it."""
    for command in (["rm", "-rf"], ["chmod", "-R", "u+rwx"], ["rm", "-rf"]):
        if top.exists():
            subprocess.run([*command, str(top)], stderr=subprocess.DEVNULL)
