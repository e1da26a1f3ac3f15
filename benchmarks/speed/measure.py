"""One measure of speed: our CPU seconds beside a peer's, in turns within one process, results compared first.

CPU seconds are of this process, so `python -m benchmarks speed` sets the libraries to one thread before it imports
them. The machine may be shared: turns alternate, medians are taken, and only the ratio is worth quoting.
"""

import statistics
import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import TypeVar

from benchmarks.markdown import markdown_table

TURNS = 5

Ours = TypeVar("Ours")
Theirs = TypeVar("Theirs")


@dataclass(frozen=True)
class Measure:
    """The median CPU seconds of both sides for the same work."""

    name: str
    peer: str
    seconds: float
    peer_seconds: float
    equal: str
    """What was checked to be equal."""

    @property
    def ratio(self) -> float:
        """How many times faster than the peer."""
        return self.peer_seconds / self.seconds


def compare(
    name: str,
    peer: str,
    ours: Callable[[], Ours],
    theirs: Callable[[], Theirs],
    equal: str,
    is_equal: Callable[[Ours, Theirs], bool],
    turns: int = TURNS,
) -> Measure:
    """Return the measure of two ways to one result; the first turn of each warms up and is compared, not timed.

    Raises:
        RuntimeError: the results differ.

    """
    if not is_equal(ours(), theirs()):
        raise RuntimeError(f"{name}: the results of both sides differ in {equal}")
    mine, others = [], []
    for _ in range(turns):
        mine.append(cpu_seconds(ours))
        others.append(cpu_seconds(theirs))
    return Measure(name, peer, statistics.median(mine), statistics.median(others), equal)


def cpu_seconds(work: Callable[[], object]) -> float:
    """Return the CPU seconds of this process that the work takes."""
    started = time.process_time()
    work()
    return time.process_time() - started


def speed_table(found: Iterable[Measure]) -> str:
    """Return a Markdown table, one row a measure."""
    return markdown_table(
        "measure | peer, same work | ours, CPU s | peer, CPU s | ratio | equal",
        [
            [one.name, one.peer, f"{one.seconds:.4f}", f"{one.peer_seconds:.3f}", f"{one.ratio:.1f}", one.equal]
            for one in found
        ],
    )
