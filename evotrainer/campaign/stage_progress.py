"""How far a running stage is: the range of time that it prints as left, and what a person sees of it between two lines.

The range is that of the last few steps, so that it is right again soon after the machine became slower or faster. A
stage prints it in seconds; whoever shows the line takes off what has passed since.
"""

import re
import sys
import time
from collections import deque
from pathlib import Path

RECENT_STEPS = 5
FEW_STEPS, WIDER = 3, 1.5
"""Of fewer steps than these the range is so much wider at both ends."""
READ_BYTES = 4000
_LEFT = re.compile(r"(\d+) to (\d+) s left")
_MARK = "evotrainer: "
"""Begins what a stage prints of how far it is, between the lines of DVC, Prefect and other libraries."""


class Pace:
    """The seconds that the last steps took, by what they got done: tokens, or problems."""

    def __init__(self) -> None:
        """Begin with the first step."""
        self._at = time.monotonic()
        self._seconds_of_one: deque[float] = deque(maxlen=RECENT_STEPS)

    def step(self, done: float) -> None:
        """Note that a step has ended, and how much it got done."""
        now = time.monotonic()
        if done > 0:
            self._seconds_of_one.append((now - self._at) / done)
        self._at = now

    def left(self, remaining: float) -> str:
        """Return how long the rest takes, as the quickest and the slowest of the last steps have it."""
        if remaining <= 0 or not self._seconds_of_one:
            return "0 s left" if remaining <= 0 else ""
        wider = WIDER if len(self._seconds_of_one) < FEW_STEPS else 1.0
        low, high = min(self._seconds_of_one) * remaining / wider, max(self._seconds_of_one) * remaining * wider
        return f"{low:.0f} to {high:.0f} s left"


def say(line: str) -> None:
    """Print how far the stage is, where `last_line` finds it."""
    print(f"{_MARK}{line}", file=sys.stderr, flush=True)


def last_line(log: Path) -> str:
    """Return the last line that a stage printed of how far it is, its time left counted down; nothing for none."""
    if not log.is_file():
        return ""
    lines = log.read_text(encoding="utf-8", errors="replace")[-READ_BYTES:].splitlines()
    text = next((line for line in reversed(lines) if line.startswith(_MARK)), "")
    return counted_down(text.removeprefix(_MARK).strip(), max(0.0, time.time() - log.stat().st_mtime))


def counted_down(line: str, seconds: float) -> str:
    """Return a line with `seconds` taken off its time left, in minutes or hours where it is long."""
    return _LEFT.sub(lambda found: _range(float(found[1]) - seconds, float(found[2]) - seconds), line)


def _range(low: float, high: float) -> str:
    if high <= 0:
        return "slower than the steps before"
    low = max(0.0, low)
    for seconds, unit, digits in ((3600, "h", 1), (60, "min", 0)):
        if high >= 2 * seconds:
            return f"{low / seconds:.{digits}f} to {high / seconds:.{digits}f} {unit} left"
    return f"{low:.0f} to {high:.0f} s left"
