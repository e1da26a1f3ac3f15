"""Which stages of a campaign run now: a small file beside the log of each, from its start to its end.

A process that is killed leaves its files behind, so each names the process that wrote it: they count only while that
one holds the campaign's lock.
"""

import os
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

MARK = ".running"


@contextmanager
def marked_running(log: Path) -> Iterator[None]:
    """Keep the mark of a stage beside its log during the block."""
    mark = log.with_suffix(MARK)
    mark.parent.mkdir(parents=True, exist_ok=True)
    mark.write_text(f"{os.getpid()} {time.time():.1f}")
    try:
        yield
    finally:
        mark.unlink(missing_ok=True)


def running_since(log: Path, holder: int) -> float | None:
    """Return when the stage of this log was started by the process `holder`; None where it does not run."""
    try:
        pid, begun = log.with_suffix(MARK).read_text().split()
        return float(begun) if int(pid) == holder else None
    except (OSError, ValueError):  # there is none, or it is being written
        return None
