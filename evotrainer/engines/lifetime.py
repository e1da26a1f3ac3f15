"""What an engine keeps open for as long as its process lives, and how it ends: a server, its connections, its lock.

A stage leaves without the interpreter's own end (tasks/__main__.py), and ends these by itself.
"""

import atexit
from collections.abc import Callable
from contextlib import ExitStack

_OPEN = ExitStack()


def end_with_process(close: Callable[[], None]) -> None:
    """Have `close` called when the process ends."""
    _OPEN.callback(close)


def end_all() -> None:
    """Close all that is open, the last first; closing again does nothing."""
    _OPEN.close()


atexit.register(end_all)
