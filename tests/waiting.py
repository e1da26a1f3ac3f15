"""Waiting for a state of other processes, which announce nothing."""

import time
from collections.abc import Callable

PATIENCE_SECONDS = 300.0


def wait_for(condition: Callable[[], object]) -> None:
    """Poll until a condition holds."""
    deadline = time.monotonic() + PATIENCE_SECONDS
    while not condition():
        assert time.monotonic() < deadline, "waited in vain"
        time.sleep(0.05)
