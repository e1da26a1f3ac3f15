"""A flow exits at once on SIGTERM and on Ctrl-C, without finishing what runs.

Prefect answers both with an orderly shutdown that reports to its server. Where the signal went to the whole process
group (`timeout`, a service manager, a terminal), the server ends too. Prefect would then retry a dead server for
minutes, while the worker of the stage goes on. Nothing is lost by exiting: workers and stages end with their owner
(evotrainer/processes.py), a stage that was cut short is run again, and the run is marked as crashed later.

Prefect sets its handler anew for each flow, so another handler would not stay: the interpreter writes the number of
each signal that has one to a pipe, which a thread reads.
"""

import os
import signal
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager

MESSAGES = {signal.SIGTERM: "ended by SIGTERM", signal.SIGINT: "interrupted"}
_STOP = 0


def exit_status(number: signal.Signals) -> int:
    """Return the exit status of a flow that a signal ended, as a shell would give it."""
    return 128 + number


@contextmanager
def exit_on_signal() -> Iterator[None]:
    """Exit on SIGTERM or SIGINT during the block, whoever handles the signal; nothing outside of the main thread."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    reading, writing = os.pipe()
    os.set_blocking(writing, False)
    before = signal.set_wakeup_fd(writing, warn_on_full_buffer=False)
    watch = threading.Thread(target=_exit_on_signal, args=(reading,), name="exit-on-signal", daemon=True)
    watch.start()
    try:
        yield
    finally:
        signal.set_wakeup_fd(before)
        os.write(writing, bytes([_STOP]))
        watch.join()
        os.close(reading)
        os.close(writing)


def _exit_on_signal(reading: int) -> None:
    while (number := os.read(reading, 1)[0]) != _STOP:
        if number in MESSAGES:
            received = signal.Signals(number)
            print(f"{MESSAGES[received]}: the same command goes on where it stood", file=sys.stderr, flush=True)
            os._exit(exit_status(received))
