"""What a sandboxed interpreter may read: its own standard library and the system's shared libraries.

The program runs in a fork of an interpreter that is already loaded, so neither a binary nor a shell is needed inside.
"""

import os
import shutil
import stat
import sys
import sysconfig
from collections.abc import Iterable, Sequence
from pathlib import Path

from evotrainer.sandbox import kernel
from evotrainer.sandbox.kernel import MOUNT_ATTR_NODEV, MOUNT_ATTR_NOSUID, MOUNT_ATTR_RDONLY

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


INNER_ID = 1000
WORK = "/box"
"""The working directory of an execution; /tmp leads there, unless something readable lies below /tmp."""
INPUT_NAMES, INPUT_PLACE = ("/dev/stdin", "/dev/fd/0"), f"{WORK}/.stdin"
"""Names by which programs open their input, and the file in its place: there is no /proc for them to lead to."""
_STAGING = "/tmp"
MIN_INODES, BYTES_PER_INODE = 4096, 4096

_ALL = (
    kernel.CLONE_NEWUSER
    | kernel.CLONE_NEWNS
    | kernel.CLONE_NEWPID
    | kernel.CLONE_NEWNET
    | kernel.CLONE_NEWIPC
    | kernel.CLONE_NEWUTS
)


def enter(outer_id: int, readable: Iterable[str]) -> None:
    """Move this process into new namespaces with the sandbox's root; the next child is process 1 inside.

    Raises OSError that names the call which the kernel refused.
    """
    if os.geteuid() == 0:
        os.setgroups([])
        _unshare_as_root(outer_id)
    else:
        uid, gid = os.getuid(), os.getgid()
        kernel.call("unshare", _ALL)
        _map_own_user(uid, gid)
    kernel.make_mounts_private()
    _build_root(readable)
    kernel.call("sethostname", b"sandbox", 7)


def _become_inner_user() -> None:
    """Take the inner user and keep one capability, over this namespace's mounts.

    Before the first directory is made: a user without a mapping can create none. After the trees are copied: what lies
    below a closed home is root's to reach.
    """
    if os.geteuid() != INNER_ID:
        os.setgroups([])
        kernel.prctl(kernel.PR_SET_KEEPCAPS, 1)
        os.setresgid(INNER_ID, INNER_ID, INNER_ID)
        os.setresuid(INNER_ID, INNER_ID, INNER_ID)
    kernel.set_capabilities(1 << kernel.CAP_SYS_ADMIN)


def mount_work(num_bytes: int) -> None:
    """Put an empty file system of a given size over /box; the kernel frees it, whatever it holds, with unmount_work."""
    inodes = max(MIN_INODES, num_bytes // BYTES_PER_INODE)
    options = f"size={num_bytes},nr_inodes={inodes},mode=0700,uid={INNER_ID},gid={INNER_ID}"
    kernel.mount_tmpfs(WORK, options)


def unmount_work() -> None:
    """Drop the execution's /box."""
    kernel.unmount(WORK)


def _unshare_as_root(outer_id: int) -> None:
    """Leave all namespaces; a child in the old one maps the outer user, since only there root may map another one."""
    parent, (wait, go) = os.getpid(), os.pipe()
    if (pid := os.fork()) == 0:
        status = 1
        try:
            os.close(go)
            if os.read(wait, 1):
                for name in ("uid_map", "gid_map"):
                    Path(f"/proc/{parent}/{name}").write_text(f"{INNER_ID} {outer_id} 1\n")
                status = 0
        finally:
            os._exit(status)
    os.close(wait)
    try:
        kernel.call("unshare", _ALL)
        os.write(go, b"x")
    finally:
        os.close(go)
        status = os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])
    if status != 0:
        raise OSError("uid_map: the kernel refused the mapping of a normal user")


def _map_own_user(uid: int, gid: int) -> None:
    Path("/proc/self/setgroups").write_text("deny")
    Path("/proc/self/uid_map").write_text(f"{INNER_ID} {uid} 1\n")
    Path("/proc/self/gid_map").write_text(f"{INNER_ID} {gid} 1\n")


def _build_root(readable: Iterable[str]) -> None:
    """Copy the mounts to keep, hide everything behind an empty file system, attach the copies in it, turn to it."""
    guarded = MOUNT_ATTR_RDONLY | MOUNT_ATTR_NOSUID
    trees = [(path, kernel.clone_tree(path, guarded | MOUNT_ATTR_NODEV)) for path in readable if not _is_link(path)]
    trees += [(path, kernel.clone_tree(path, guarded)) for path in DEVICES]
    links = [(path, str(Path(path).readlink())) for path in readable if _is_link(path)]
    links += [(path, INPUT_PLACE) for path in INPUT_NAMES]
    are_directories = {path: Path(path).is_dir() for path, _ in trees}
    _become_inner_user()
    kernel.mount_tmpfs(_STAGING, "size=1m,mode=0755")
    os.chdir(_STAGING)
    Path(WORK.lstrip("/")).mkdir()
    for path, tree in trees:
        inner = Path(path.lstrip("/"))
        inner.parent.mkdir(parents=True, exist_ok=True)
        inner.mkdir(exist_ok=True) if are_directories[path] else inner.touch()
        kernel.attach_tree(tree, str(inner))
    for path, target in links:
        inner = Path(path.lstrip("/"))
        inner.parent.mkdir(parents=True, exist_ok=True)
        inner.symlink_to(target)
    if not Path("tmp").exists():
        Path("tmp").symlink_to(WORK)
    kernel.pivot_into_working_directory()
    kernel.seal_root()


def _is_link(path: str) -> bool:
    """Whether a path is a link as on systems where /lib leads to /usr/lib; it is kept as a link."""
    return Path(path).is_symlink()
