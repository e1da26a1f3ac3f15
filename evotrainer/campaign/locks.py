"""Locks between processes, on the `filelock` library, and which stages run now.

The kernel releases a lock when its holder ends, however it ends. The lock file holds the pid of the last holder and
stays in place after release. A process that holds a lock may take it again.

A stage that runs has a small file beside its log. A process that is killed leaves its files behind, so each names the
process that wrote it: they count only while that one holds the campaign's lock.
"""

import os
import time
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


MARK = ".running"


@contextmanager
def marked_running(log: Path) -> Iterator[None]:
    """Keep the mark of a stage beside its log during the block."""
    mark = log.with_suffix(MARK)
    mark.parent.mkdir(parents=True, exist_ok=True)
    with naming(mark):
        mark.write_text(f"{os.getpid()} {time.monotonic():.1f}")
    try:
        yield
    finally:
        mark.unlink(missing_ok=True)


def running_since(log: Path, holder: int) -> float | None:
    """Return when the process `holder` started the stage of this log, by the clock that nobody sets; None for none."""
    try:
        pid, begun = log.with_suffix(MARK).read_text().split()
        return float(begun) if int(pid) == holder else None
    except (OSError, ValueError):  # there is none, or it is being written
        return None
