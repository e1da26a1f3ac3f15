"""One run a campaign: a lock that the kernel releases when its holder ends, however it ends."""

from contextlib import AbstractContextManager
from pathlib import Path

from evotrainer.campaign.locks import claim_lock, lock_holder


def campaign_lock(main: Path, name: str) -> AbstractContextManager[None]:
    """Hold the campaign's lock during a block; raises LineageError with the pid of another process that holds it."""
    return claim_lock(lock_path(main, name), f"campaign '{name}'")


def holder(main: Path, name: str) -> int | None:
    """Return the pid that runs the campaign now, or None."""
    return lock_holder(lock_path(main, name))


def lock_path(main: Path, name: str) -> Path:
    """Return the lock file: beside the worktrees, so that deleting a campaign cannot delete it under a holder."""
    return main / "scratch" / "locks" / f"{name}.lock"
