"""The filter on system calls, assembled by hand as a classic BPF program.

The filter is the last thing set before hostile code runs, inherited by its threads, and cannot be removed. Unknown
calls fail with EPERM, so that a program gets a PermissionError and is not killed; clone3 fails with
ENOSYS, since its flags lie behind a pointer that a filter cannot follow, and the C library then uses clone.
Source: Documentation/userspace-api/seccomp_filter.rst of the kernel.

syscalls.txt holds the calls that a program may make, with their numbers on x86-64 and aarch64.
"""

import ctypes
import errno
import os
import struct
from pathlib import Path

from evotrainer.sandbox import kernel

Table = dict[str, tuple[int | None, int | None]]
"""Name -> numbers, in the order of ARCHITECTURES."""


def _read_tables() -> dict[str, Table]:
    tables: dict[str, Table] = {}
    group = ""
    for line in Path(__file__).with_name("syscalls.txt").read_text(encoding="utf-8").splitlines():
        if line.startswith("["):
            group = line[1:].partition("]")[0]
        elif line and not line.startswith("#"):
            name, *columns = line.split()
            x86, arm = (None if column == "-" else int(column) for column in columns)
            tables.setdefault(group, {})[name] = x86, arm
    return tables


_CALLS = _read_tables()
"""By group: `always` with any argument, `metadata` where mounts are read-only, `checked` by argument, `processes` to an
execution that may start other programs."""

ARCHITECTURES = {"x86_64": 0xC000003E, "aarch64": 0xC00000B7}
"""Machine name -> AUDIT_ARCH value; the order is that of the columns of syscalls.txt."""


def machine() -> str:
    """Return this machine's name; raises OSError where no numbers are known for it."""
    name = os.uname().machine
    if name not in ARCHITECTURES:
        raise OSError(f"the sandbox knows no system call numbers for {name}, only for {', '.join(ARCHITECTURES)}")
    return name


def numbers(table: Table) -> dict[str, int]:
    """Return name -> number of the calls of a table that this machine has."""
    column = list(ARCHITECTURES).index(machine())
    return {name: number for name, columns in table.items() if (number := columns[column]) is not None}


_LOAD, _JUMP_EQUAL, _JUMP_SET, _JUMP_AT_LEAST, _RETURN = 0x20, 0x15, 0x45, 0x35, 0x06
_KILL, _ALLOW, _ERRNO = 0x80000000, 0x7FFF0000, 0x00050000
_OFFSET_NUMBER, _OFFSET_ARCHITECTURE, _OFFSET_ARGUMENTS = 0, 4, 16
_X32_BIT = 0x40000000

_CLONE_THREAD = 0x10000
_CLONE_NAMESPACES = 0x7E020080
_SECCOMP_MODE_FILTER = 2

# duplicate, flags, locks; not the owner or signal of a descriptor, by which any process of this user could be signalled
_FCNTL_COMMANDS = (0, 1, 2, 3, 4, 5, 6, 7, 36, 37, 38, 1030, 1032)
# terminal attributes and window size, FIONREAD, FIONBIO, close-on-exec
_IOCTL_REQUESTS = (0x5401, 0x5413, 0x541B, 0x5421, 0x5450, 0x5451)
# the name of a thread, read and written
_PRCTL_OPTIONS = (15, 16)


def install_filter(is_metadata_allowed: bool, can_execute: bool = False) -> None:
    """Restrict this process irrevocably; `is_metadata_allowed` where read-only mounts guard modes and times of files.

    `can_execute`: it may start other programs, which inherit the filter.
    """
    program = filter_program(os.getpid(), is_metadata_allowed, can_execute)
    code = ctypes.create_string_buffer(program, len(program))
    record = struct.pack("HxxxxxxP", len(program) // 8, ctypes.addressof(code))
    kernel.prctl(kernel.PR_SET_NO_NEW_PRIVS, 1)
    pointer = ctypes.cast(ctypes.create_string_buffer(record, len(record)), ctypes.c_void_p)
    kernel.prctl(kernel.PR_SET_SECCOMP, _SECCOMP_MODE_FILTER, pointer)


def filter_program(pid: int, is_metadata_allowed: bool, can_execute: bool = False) -> bytes:
    """Return the BPF program for a process, 8 bytes an instruction; signals are allowed to the process itself only."""
    plain = _PLAIN[is_metadata_allowed] + (_allow(_CALLS["processes"]) if can_execute else b"")
    return _head() + plain + _checked_calls(pid, can_execute) + _return_error(errno.EPERM)


def _head() -> bytes:
    """Another architecture kills; on x86-64 the x32 calls, numbered from bit 30 on, are refused."""
    return b"".join(
        [
            _instruction(_LOAD, _OFFSET_ARCHITECTURE),
            _instruction(_JUMP_EQUAL, ARCHITECTURES[machine()], if_true=1),
            _instruction(_RETURN, _KILL),
            _instruction(_LOAD, _OFFSET_NUMBER),
            _instruction(_JUMP_AT_LEAST, _X32_BIT, if_false=1),
            _return_error(errno.EPERM),
        ]
    )


def _plain_calls(is_metadata_allowed: bool) -> bytes:
    return _allow(_CALLS["always"] | _CALLS["metadata"] if is_metadata_allowed else _CALLS["always"])


def _allow(calls: Table) -> bytes:
    return b"".join(_when(number, _instruction(_RETURN, _ALLOW)) for number in numbers(calls).values())


def _checked_calls(pid: int, can_execute: bool) -> bytes:
    call = numbers(_CALLS["checked"])
    blocks = [
        _when(call["kill"], _allow_values(0, (pid,))),
        _when(call["tgkill"], _allow_values(0, (pid,))),
        _when(call["prlimit64"], _allow_values(0, (0, pid))),
        _when(call["prctl"], _allow_values(0, _PRCTL_OPTIONS)),
        _when(call["fcntl"], _allow_values(1, _FCNTL_COMMANDS)),
        _when(call["ioctl"], _allow_values(1, _IOCTL_REQUESTS)),
        _when(call["clone"], _allow_clone(can_execute)),
        _when(call["clone3"], _return_error(errno.ENOSYS)),
    ]
    return b"".join(blocks)


def _allow_values(argument: int, values: tuple[int, ...]) -> bytes:
    """Allow the call when the low 32 bits of an argument, all that the kernel reads of these, are one of the values."""
    tests = [_instruction(_JUMP_EQUAL, value, if_false=1) + _instruction(_RETURN, _ALLOW) for value in values]
    return _load_argument(argument) + b"".join(tests) + _return_error(errno.EPERM)


def _allow_clone(can_execute: bool) -> bytes:
    """Allow clone for a thread, and for a process where programs may be started; never into a namespace."""
    return b"".join(
        [
            _load_argument(0),
            _instruction(_JUMP_SET, _CLONE_NAMESPACES, if_true=2),
            _instruction(_JUMP_SET, _CLONE_THREAD, if_false=0 if can_execute else 1),
            _instruction(_RETURN, _ALLOW),
            _return_error(errno.EPERM),
        ]
    )


def _when(number: int, block: bytes) -> bytes:
    """Run a block that ends in a return when the call (in the accumulator) has this number, else skip it."""
    return _instruction(_JUMP_EQUAL, number, if_false=len(block) // 8) + block


def _load_argument(index: int) -> bytes:
    return _instruction(_LOAD, _OFFSET_ARGUMENTS + 8 * index)


def _return_error(number: int) -> bytes:
    return _instruction(_RETURN, _ERRNO | number)


def _instruction(code: int, value: int, if_true: int = 0, if_false: int = 0) -> bytes:
    return struct.pack("HBBI", code, if_true, if_false, value)


_PLAIN = {allowed: _plain_calls(allowed) for allowed in (False, True)} if os.uname().machine in ARCHITECTURES else {}
