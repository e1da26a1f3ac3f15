"""Ended from outside, a flow ends at once: neither SIGTERM nor Ctrl-C is a request to finish what runs.

Prefect answers both with an orderly shutdown that reports to its server. Where the server was told to end too (they
signal the whole group: `timeout`, a service manager, a terminal) it asks a dead server again for minutes, while the
worker of the stage goes on. Nothing is lost by ending: workers and stages end with their owner
(tasks/running/parent_watch.py), a stage that was cut short is run again, and the server finds out by itself that the
run is gone.

Prefect sets its handler anew for each flow, so another handler would not stay: the interpreter writes the number of
each signal that has one to a pipe, which a thread reads.
"""

import os
import signal
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager

TOLD = {signal.SIGTERM: "ended by SIGTERM", signal.SIGINT: "interrupted"}
_STOP = 0


def status_of(number: signal.Signals) -> int:
    """Return the exit status of a flow that a signal ended, as a shell would give it."""
    return 128 + number


@contextmanager
def ends_when_told() -> Iterator[None]:
    """End this process when it is told to during the block, whoever handles the signal; in the main thread alone."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    reading, writing = os.pipe()
    os.set_blocking(writing, False)
    before = signal.set_wakeup_fd(writing, warn_on_full_buffer=False)
    watch = threading.Thread(target=_end_when_told, args=(reading,), name="ending", daemon=True)
    watch.start()
    try:
        yield
    finally:
        signal.set_wakeup_fd(before)
        os.write(writing, bytes([_STOP]))
        watch.join()
        os.close(reading)
        os.close(writing)


def _end_when_told(reading: int) -> None:
    while (number := os.read(reading, 1)[0]) != _STOP:
        if number in TOLD:
            told = signal.Signals(number)
            print(f"{TOLD[told]}: the same command goes on where it stood", file=sys.stderr, flush=True)
            os._exit(status_of(told))
