"""Ended from outside, a flow ends at once: SIGTERM is no request to finish what runs.

Prefect answers SIGTERM with an orderly shutdown that reports to its server. Where the server was told to end too
(`timeout`, a service manager: they signal the whole group) it asks a dead server again for minutes, while the worker of
the stage goes on. Nothing is lost by ending: workers and stages end with their owner (tasks/owner.py), a stage that was
cut short is run again, and the server finds out by itself that the run is gone.

Prefect sets its handler anew for each flow, so another handler would not stay: the interpreter writes the number of
each signal that has one to a pipe, which a thread reads.
"""

import os
import signal
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager

STATUS = 128 + signal.SIGTERM
_STOP = 0


@contextmanager
def ends_when_told() -> Iterator[None]:
    """End this process when SIGTERM comes during the block, whoever handles it; in the main thread alone."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    reading, writing = os.pipe()
    os.set_blocking(writing, False)
    before = signal.set_wakeup_fd(writing, warn_on_full_buffer=False)
    watch = threading.Thread(target=_end_on_sigterm, args=(reading,), name="sigterm", daemon=True)
    watch.start()
    try:
        yield
    finally:
        signal.set_wakeup_fd(before)
        os.write(writing, bytes([_STOP]))
        watch.join()
        os.close(reading)
        os.close(writing)


def _end_on_sigterm(reading: int) -> None:
    while (number := os.read(reading, 1)[0]) != _STOP:
        if number == signal.SIGTERM:
            print("ended by SIGTERM: the same command goes on where it stood", file=sys.stderr, flush=True)
            os._exit(STATUS)
