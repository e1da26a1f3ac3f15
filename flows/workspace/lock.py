"""One run a campaign: a lock that the kernel releases when its holder dies, however it dies."""

import fcntl
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import psutil

from evotrainer.errors import LineageError

_held: set[Path] = set()
"""Locks of this process."""


@contextmanager
def campaign_lock(main: Path, name: str) -> Iterator[None]:
    """Hold the campaign's lock during the block; raises LineageError naming the pid that holds it already."""
    path = lock_path(main, name)
    if path in _held:
        yield  # the version flow inside of the campaign flow
        return
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("a+") as stream:
        try:
            fcntl.flock(stream, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            stream.seek(0)
            raise LineageError(
                f"campaign '{name}' is already running (pid {stream.read().strip() or 'unknown'}): wait "
                f"for it, or stop it first"
            ) from None
        stream.truncate(0)
        stream.write(str(psutil.Process().pid))
        stream.flush()
        _held.add(path)
        try:
            yield
        finally:
            _held.discard(path)


def holder(main: Path, name: str) -> int | None:
    """Return the pid that runs the campaign now, or None."""
    path = lock_path(main, name)
    if not path.is_file():
        return None
    with path.open("r+") as stream:
        try:
            fcntl.flock(stream, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            return int(stream.read().strip() or 0)
    return None


def lock_path(main: Path, name: str) -> Path:
    """Return the lock file: beside the worktrees, so that deleting a campaign cannot delete it under a holder."""
    return main / "scratch" / "locks" / f"{name}.lock"
