"""The kernel's calls that Python has no function for: namespaces, mounts, capabilities, prctl; through ctypes.

So that a machine needs nothing but Python: no bubblewrap, no libseccomp. Each function raises OSError that names the
call, which becomes the reason why a backend is refused.
"""

import ctypes
import os
import signal

CLONE_NEWNS, CLONE_NEWUTS, CLONE_NEWIPC = 0x20000, 0x4000000, 0x8000000
CLONE_NEWUSER, CLONE_NEWPID, CLONE_NEWNET = 0x10000000, 0x20000000, 0x40000000

MS_NOSUID, MS_NODEV, MS_NOEXEC, MS_REC, MS_PRIVATE = 2, 4, 8, 0x4000, 0x40000
MNT_DETACH = 2
MOUNT_ATTR_RDONLY, MOUNT_ATTR_NOSUID, MOUNT_ATTR_NODEV = 1, 2, 4

PR_SET_PDEATHSIG, PR_SET_DUMPABLE, PR_SET_KEEPCAPS, PR_SET_SECCOMP, PR_SET_NO_NEW_PRIVS = 1, 4, 8, 22, 38
PR_SET_CHILD_SUBREAPER = 36
CAP_SYS_ADMIN = 21

_AT_FDCWD, _AT_EMPTY_PATH, _AT_RECURSIVE = -100, 0x1000, 0x8000
_OPEN_TREE_CLONE, _OPEN_TREE_CLOEXEC, _MOVE_MOUNT_F_EMPTY_PATH = 1, 0x80000, 4
_CAPABILITY_VERSION_3 = 0x20080522
# these numbers are the same on every architecture, save the first two
_PIVOT_ROOT = {"x86_64": 155, "aarch64": 41}
_CAPSET = {"x86_64": 126, "aarch64": 91}
_OPEN_TREE, _MOVE_MOUNT, _MOUNT_SETATTR = 428, 429, 442

_libc = ctypes.CDLL(None, use_errno=True)


def num_processors() -> int:
    """Return how many processors this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def checked(result: int, call: str) -> int:
    """Return the result of a call; raises OSError that names it when it is negative."""
    if result < 0:
        number = ctypes.get_errno()
        raise OSError(number, f"{call}: {os.strerror(number)}")
    return result


def call(name: str, *arguments: object) -> int:
    """Call a function of the C library; integers are passed as 64 bits."""
    words = [ctypes.c_long(word) if isinstance(word, int) else word for word in arguments]
    return checked(_libc[name](*words), name)


def syscall(name: str, number: int, *arguments: object) -> int:
    """Make a system call by its number; integers are passed as 64 bits."""
    words = [ctypes.c_long(word) if isinstance(word, int) else word for word in arguments]
    return checked(_libc.syscall(ctypes.c_long(number), *words), name)


def prctl(option: int, value: int | ctypes.c_void_p, pointer: ctypes.c_void_p | None = None) -> None:
    """Set a property of this process."""
    word = ctypes.c_ulong(value) if isinstance(value, int) else value
    checked(_libc.prctl(option, word, pointer or ctypes.c_ulong(0), ctypes.c_ulong(0), ctypes.c_ulong(0)), "prctl")


def die_with_parent() -> None:
    """Have the kernel kill this process at once when the one that started it ends."""
    prctl(PR_SET_PDEATHSIG, signal.SIGKILL)


def mount_tmpfs(target: str, options: str) -> None:
    """Mount an empty file system in memory, without devices, set-uid and programs that could be started."""
    call("mount", b"tmpfs", os.fsencode(target), b"tmpfs", MS_NOSUID | MS_NODEV | MS_NOEXEC, options.encode())


def make_mounts_private() -> None:
    """Let no mount of this namespace be seen outside, and none from outside here."""
    call("mount", b"none", b"/", None, MS_REC | MS_PRIVATE, None)


def unmount(target: str) -> None:
    """Take a mount away, whatever is still open in it."""
    call("umount2", os.fsencode(target), MNT_DETACH)


def clone_tree(path: str, attributes: int) -> int:
    """Return a descriptor of a detached copy of the mounts below a path, with MOUNT_ATTR_* set on all of them."""
    flags = _OPEN_TREE_CLONE | _OPEN_TREE_CLOEXEC | _AT_RECURSIVE
    tree = syscall("open_tree", _OPEN_TREE, _AT_FDCWD, os.fsencode(path), flags)
    _set_attributes(tree, b"", _AT_EMPTY_PATH | _AT_RECURSIVE, attributes)
    return tree


def attach_tree(tree: int, target: str) -> None:
    """Mount what clone_tree returned, and close its descriptor."""
    syscall("move_mount", _MOVE_MOUNT, tree, b"", _AT_FDCWD, os.fsencode(target), _MOVE_MOUNT_F_EMPTY_PATH)
    os.close(tree)


def seal_root() -> None:
    """Make the root mount read-only; mounts below it keep their own state."""
    _set_attributes(_AT_FDCWD, b"/", 0, MOUNT_ATTR_RDONLY | MOUNT_ATTR_NOSUID | MOUNT_ATTR_NODEV)


def _set_attributes(directory: int, path: bytes, flags: int, attributes: int) -> None:
    record = (ctypes.c_uint64 * 4)(attributes, 0, 0, 0)
    syscall("mount_setattr", _MOUNT_SETATTR, directory, path, flags, record, ctypes.sizeof(record))


def pivot_into_working_directory() -> None:
    """Make the working directory the root, and let go of the old one."""
    syscall("pivot_root", _PIVOT_ROOT[os.uname().machine], b".", b".")
    unmount(".")
    os.chdir("/")


def set_capabilities(mask: int) -> None:
    """Keep exactly the capabilities of the mask (a bit each) as permitted and effective ones."""
    header = (ctypes.c_uint32 * 2)(_CAPABILITY_VERSION_3, 0)
    low, high = mask & 0xFFFFFFFF, mask >> 32
    data = (ctypes.c_uint32 * 6)(low, low, 0, high, high, 0)
    syscall("capset", _CAPSET[os.uname().machine], header, data)
