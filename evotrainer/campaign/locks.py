"""Locks between processes, on the `filelock` library.

The kernel releases a lock when its holder ends, however it ends. The lock file holds the pid of the last holder and
stays in place after release. A process that holds a lock may take it again.
"""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from filelock import FileLock, Timeout

from evotrainer.campaign.documents import naming
from evotrainer.errors import LineageError

NO_WAIT, FOREVER = 0.0, -1.0


@contextmanager
def wait_for_lock(path: Path) -> Iterator[None]:
    """Hold a lock during the block, once its present holder has released it."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with _shared(path).acquire(timeout=FOREVER):
        yield


@contextmanager
def claim_lock(path: Path, what: str) -> Iterator[None]:
    """Hold a lock during the block; raises LineageError with the pid of another holder, `what` being what it holds."""
    path.parent.mkdir(parents=True, exist_ok=True)
    lock = _shared(path)
    try:
        lock.acquire(timeout=NO_WAIT)
    except Timeout:
        pid = lock_holder(path) or "unknown"
        raise LineageError(f"{what} is already running (pid {pid}): wait for it, or stop it first") from None
    try:
        with naming(path):
            path.write_text(str(os.getpid()))
        yield
    finally:
        lock.release()


def lock_holder(path: Path) -> int | None:
    """Return the pid that holds a lock now, 0 where it left none; None where the lock is free."""
    if not path.is_file():
        return None
    try:
        with FileLock(path, timeout=NO_WAIT):
            return None
    except Timeout:
        return int(path.read_text().strip() or 0)


def _shared(path: Path) -> FileLock:
    """Return the one lock object of this process for a path: it counts how often it was taken."""
    return FileLock(path, is_singleton=True, thread_local=False)
