"""A time limit for Python code of somebody else that runs in this process, in any of its threads: chat templates.

One thread watches all limits and raises TimeoutError in a thread that has used up its processor time: on a busy machine
a body waits without harm. The exception comes between two instructions of Python: a single long operation ends first.
"""

import ctypes
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache


class _Watch:
    """The limits in force, by the thread that each holds for: when it is looked at next, its clock, the clock's end."""

    def __init__(self) -> None:
        self._changed, self._struck = threading.Condition(), set[int]()
        self._limits = dict[int, tuple[float, int, float]]()
        threading.Thread(target=self._run, name="time-limits", daemon=True).start()

    def begin(self, thread: int, seconds: float) -> None:
        clock = time.pthread_getcpuclockid(thread)
        with self._changed:
            self._limits[thread] = (time.monotonic() + seconds, clock, time.clock_gettime(clock) + seconds)
            if len(self._limits) == 1:
                self._changed.notify()

    def end(self, thread: int) -> bool:
        """Take a limit away; return whether its exception was sent."""
        with self._changed:
            self._limits.pop(thread, None)
            is_struck = thread in self._struck
            self._struck.discard(thread)
            return is_struck

    def _run(self) -> None:
        while True:
            with self._changed:
                while not self._limits:
                    self._changed.wait()
                now = time.monotonic()
                for thread, (due, clock, end) in list(self._limits.items()):
                    if due <= now:
                        self._look(thread, now, clock, end)
                rest = min((due for due, *_ in self._limits.values()), default=now) - now
            # Not a wait for a change: bodies begin and end by the thousand, and none should wake this thread.
            # A limit that begins meanwhile is late by as much as it is shorter than those that are known.
            time.sleep(max(rest, 0.0) if self._limits else 0.0)  # until the next limit is due

    def _look(self, thread: int, now: float, clock: int, end: float) -> None:
        """End a body whose time is over, or look again when it may be."""
        left = end - time.clock_gettime(clock)
        if left > 0:
            self._limits[thread] = (now + left, clock, end)
            return
        del self._limits[thread]
        self._struck.add(thread)
        ctypes.pythonapi.PyThreadState_SetAsyncExc(ctypes.c_ulong(thread), ctypes.py_object(TimeoutError))


@cache
def _watch() -> _Watch:
    return _Watch()


@contextmanager
def time_limit(seconds: float) -> Iterator[None]:
    """Raise TimeoutError in this thread where the body takes more processor time; limits do not nest."""
    watch, thread = _watch(), threading.get_ident()
    watch.begin(thread, seconds)
    is_over = False
    try:
        yield
    except TimeoutError:
        is_over = True
        raise
    finally:
        if watch.end(thread) and not is_over:
            _await_exception()


def _await_exception() -> None:
    """Take the exception that was sent while the body ended; it comes within a few instructions."""
    try:
        for _ in range(1000):
            time.sleep(0.001)  # gives the interpreter to the watch, and is itself where the exception arrives
    except TimeoutError:
        pass
