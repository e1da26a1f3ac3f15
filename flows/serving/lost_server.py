"""What becomes of a flow whose Prefect server ends: its own is started again, a configured one is waited for.

Prefect's client tries again for longer and longer when no server answers, so that a flow would hang without a word.
Our own server keeps its database and its port, and the client finds it there again. A configured server that refuses
connections for MAX_REFUSED_SECONDS ends the flow with one line; the same command then goes on where it stood.
"""

import os
import subprocess
import sys
import threading
import time
import urllib.error
import urllib.request
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from tasks.running.progress import progress

MAX_REFUSED_SECONDS = 20.0
MAX_SILENT_SECONDS = 300.0
"""How long a server may leave requests without an answer: one on a busy machine is slow, and lives."""
MAX_RESTARTS = 5
POLL_SECONDS = 1.0
LOST_STATUS = 1

Start = Callable[[], subprocess.Popen[bytes]]
"""Starts a server's process; called in a thread when it is started again."""


@contextmanager
def watching_configured(url: str) -> Iterator[None]:
    """End this process with one line when the server at `url` is lost during the block."""
    with _thread(lambda stopped: _watch_configured(url, stopped)):
        yield


@contextmanager
def kept_running(start: Start, until_ready: Callable[[subprocess.Popen[bytes]], None]) -> Iterator[None]:
    """Run a server during the block, once it is ready, and start it again whenever it ends."""
    current = [start()]
    try:
        until_ready(current[0])
        with _thread(lambda stopped: _keep(start, current, stopped)):
            yield
    finally:
        current[0].terminate()
        current[0].wait()


def answers(url: str, timeout: float = 5.0) -> bool | None:
    """Tell whether a Prefect server at this URL is well; None where something listens and gives no answer in time."""
    try:
        with urllib.request.urlopen(f"{url}/health", timeout=timeout) as response:
            return response.status == 200
    except TimeoutError:
        return None
    except urllib.error.URLError as error:
        return None if isinstance(error.reason, TimeoutError) else False
    except (OSError, ValueError):
        return False


@contextmanager
def _thread(watch: Callable[[threading.Event], None]) -> Iterator[None]:
    stopped = threading.Event()
    thread = threading.Thread(target=watch, args=(stopped,), name="server-watch", daemon=True)
    thread.start()
    try:
        yield
    finally:
        stopped.set()
        thread.join()


def _keep(start: Start, current: list[subprocess.Popen[bytes]], stopped: threading.Event) -> None:
    num_restarts = 0
    while not stopped.wait(POLL_SECONDS):
        if current[0].poll() is None:
            continue
        if num_restarts == MAX_RESTARTS:
            _leave(f"the Prefect server ended {num_restarts + 1} times")
        num_restarts += 1
        progress().line("the Prefect server ended: it is started again")
        current[0] = start()


def _watch_configured(url: str, stopped: threading.Event) -> None:
    heard = {False: time.monotonic(), None: time.monotonic()}
    while not stopped.wait(POLL_SECONDS):
        found, now = answers(url), time.monotonic()
        if found:
            heard = {False: now, None: now}
        elif found is None:
            heard[False] = now
        if now - heard[False] > MAX_REFUSED_SECONDS or now - heard[None] > MAX_SILENT_SECONDS:
            _leave(f"the Prefect server at {url} no longer answers")


def _leave(reason: str) -> None:
    """End at once: what hangs on the server would not end otherwise. Workers and stages end with this process."""
    print(
        f"error: {reason}: the same command goes on where it stood, once a server is there", file=sys.stderr, flush=True
    )
    os._exit(LOST_STATUS)
