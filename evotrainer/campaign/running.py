"""What runs now: the stages, and how far each is.

A stage that runs has a small file beside its log. A process that is killed leaves its files behind, so each names the
process that wrote it: they count only while that one holds the campaign's lock.

Nothing is asked of Prefect or of the process that runs the campaign, so that a view works for a campaign that was
interrupted too.

How far it is a stage prints as the range of time that is left, in seconds. The range is that of the last few steps, so
that it is right again soon after the machine became slower or faster. Whoever shows the line takes off what has passed.
"""

import os
import re
import sys
import time
from collections import deque
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from evotrainer.campaign.documents import naming
from evotrainer.campaign.gates import waiting_lines
from evotrainer.campaign.layout import CampaignFiles
from evotrainer.campaign.locks import lock_holder

MARK = ".running"


@contextmanager
def marked_running(log: Path) -> Iterator[None]:
    """Keep the mark of a stage beside its log during the block."""
    mark = log.with_suffix(MARK)
    mark.parent.mkdir(parents=True, exist_ok=True)
    with naming(mark):
        mark.write_text(f"{os.getpid()} {time.monotonic():.1f}")
    try:
        yield
    finally:
        mark.unlink(missing_ok=True)


RECENT_STEPS = 5
FEW_STEPS, WIDER = 3, 1.5
"""Of fewer steps than these the range is so much wider at both ends."""
READ_BYTES = 4000
_LEFT = re.compile(r"(\d+) to (\d+) s left")
_SAID = "evotrainer: "
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
    print(f"{_SAID}{line}", file=sys.stderr, flush=True)


def last_line(log: Path) -> str:
    """Return the last line that a stage printed of how far it is, its time left counted down; nothing for none."""
    if not log.is_file():
        return ""
    lines = log.read_text(encoding="utf-8", errors="replace")[-READ_BYTES:].splitlines()
    text = next((line for line in reversed(lines) if line.startswith(_SAID)), "")
    return counted_down(text.removeprefix(_SAID).strip(), max(0.0, time.time() - log.stat().st_mtime))


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


MAX_LINE_CHARACTERS = 200


@dataclass(frozen=True)
class RunningStage:
    """A stage of a version, or of the campaign itself, that runs."""

    subject: str
    stage: str
    seconds: float
    """Since its start."""
    line: str
    """The last line of its log."""


@dataclass(frozen=True)
class LiveState:
    """A campaign at one moment."""

    campaign: str
    is_running: bool
    is_certified: bool
    stages: list[RunningStage]
    waiting: list[str]
    """Of each question that waits for a person, what to do."""

    @property
    def words(self) -> str:
        """Return in a few words where the campaign stands."""
        if self.is_running:
            return "; ".join(self.waiting) or "running"
        return (
            "finished"
            if self.is_certified
            else f"not running: `evotrainer campaign run {self.campaign}` goes on with it"
        )


def live_state(files: CampaignFiles) -> LiveState:
    """Return what the campaign does now."""
    main = files.root.parents[1]
    holder = lock_holder(main / "scratch" / "locks" / f"{files.root.name}.lock")
    is_running = holder is not None
    marks = sorted(files.root.glob(f"scratch/logs/*/*{MARK}")) if holder else []
    stages = [stage for mark in marks if (stage := _stage(mark, holder or 0))]
    waiting = waiting_lines(files) if is_running else []
    is_certified = files.certified.exists()
    return LiveState(files.root.name, is_running, is_certified, stages, waiting)


def _stage(mark: Path, holder: int) -> RunningStage | None:
    """Return the stage of a mark; None where the process `holder` does not run it."""
    try:
        pid, begun = mark.read_text().split()
        seconds = time.monotonic() - float(begun)
    except (OSError, ValueError):  # there is none any more, or it is being written
        return None
    line = last_line(mark.with_suffix(".log"))[:MAX_LINE_CHARACTERS]
    return RunningStage(mark.parent.name, mark.stem, seconds, line) if int(pid) == holder else None
