"""What a person sees while a flow works: a line for each finished stage, and one at least every 2 s while any runs.

    v002 rollout     4.1 s
    v002 train 14 s: step 12/24 reward 0.41 | v003 train 13 s: step 11/24 reward 0.38
    v002 train      25.3 s

The part after the colon is the last line of the stage's log, its time left counted down. On a terminal the waiting line
is drawn in place; in a pipe each is a line of its own. One Progress serves all stages of a process, since they share
its terminal.
"""

import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path

from rich.console import Console
from rich.status import Status

from evotrainer.campaign.running import last_line, marked_running
from evotrainer.campaign.untrusted import escape

INTERVAL_SECONDS = 2.0
FILE_SECONDS = 30.0
"""Between two lines about the same stages where no terminal rewrites them: a night's log stays readable."""
MAX_LINE_CHARACTERS = 72


class Progress:
    """Lines about running stages, on the error stream."""

    def __init__(self, console: Console | None = None):
        self.console = console or Console(stderr=True, highlight=False, soft_wrap=True)
        self._running: dict[tuple[str, str], tuple[float, Path]] = {}
        self._seconds: dict[tuple[str, str], float] = {}
        self._status: Status | None = None
        self._ticker: threading.Thread | None = None
        self._is_closed = False
        self._written: tuple[frozenset[tuple[str, str]], float] = (frozenset(), 0.0)

    def close(self) -> None:
        """Show nothing more: a stage that a thread still ends would leave its waiting line beside the prompt."""
        self._is_closed = True
        self._clear()

    def line(self, text: str) -> None:
        """Print one line that stays."""
        self.console.print(text, markup=False)

    @contextmanager
    def running(self, version: str, stage: str, log: Path) -> Iterator[None]:
        """Show a stage as running until the block ends."""
        key, started = (version, stage), time.monotonic()
        self._running[key] = (started, log)
        self._start_ticker()
        try:
            with marked_running(log):
                yield
        finally:
            self._seconds[key] = time.monotonic() - started
            del self._running[key]
            if not self._running:
                self._clear()

    def done(self, version: str, stage: str, ran: bool = True) -> None:
        """Print that a stage ended, with its seconds."""
        text = f"{self._seconds[version, stage]:6.1f} s" if ran else "up to date"
        self.line(f"{version} {stage:<10} {text:>9}")

    def waiting_line(self) -> str:
        """Return one line about all running stages, or nothing if all have just started."""
        now, running = time.monotonic(), list(self._running.items())
        if not any(now - started > INTERVAL_SECONDS / 2 for _, (started, _) in running):
            return ""  # nothing keeps a person waiting yet
        return " | ".join(
            f"{version} {stage} {now - started:.0f} s{_after_colon(last_line(log))}"
            for (version, stage), (started, log) in running
        )

    def _start_ticker(self) -> None:
        if self._ticker is None:
            self._ticker = threading.Thread(target=self._tick, name="progress", daemon=True)
            self._ticker.start()

    def _tick(self) -> None:
        while True:
            time.sleep(INTERVAL_SECONDS)  # the clock is what is shown: lines come by time, not by event
            if text := self.waiting_line():
                self.show(text)

    def show(self, text: str) -> None:
        """Show the waiting line: rewritten on a terminal; in a file where stages changed, or after a while."""
        if self._is_closed:
            return
        if not self.console.is_terminal:
            stages, now = frozenset(self._running), time.monotonic()
            if stages != self._written[0] or now - self._written[1] >= FILE_SECONDS:
                self._written = (stages, now)
                self.line(text)
            return
        if self._status is None:
            self._status = self.console.status("")
            self._status.start()
        self._status.update(text[: self.console.width - 4].replace("[", "("))

    def _clear(self) -> None:
        if self._status is not None:
            self._status.stop()
            self._status = None


def _after_colon(text: str) -> str:
    return f": {escape(text[:MAX_LINE_CHARACTERS])}" if text else ""


@cache
def progress() -> Progress:
    """Return the Progress of this process."""
    return Progress()
