"""Work in a process of its own: a peak of memory belongs to a process and is never forgotten by it."""

import statistics
from collections.abc import Callable, Mapping
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from multiprocessing import get_context
from typing import ParamSpec, TypeVar

from benchmarks.peak_memory import MB, peak_bytes
from benchmarks.speed.growth.record import Growth
from benchmarks.speed.measure import cpu_seconds

TURNS = 3

Given = ParamSpec("Given")
Found = TypeVar("Found")


@dataclass(frozen=True)
class Cost:
    """What a piece of work took."""

    seconds: float
    peak: float
    """Most memory that its process held up to its end, MB."""
    at_start: float
    """Most memory that its process held before it, MB."""


def apart(work: Callable[Given, Found], *given: Given.args, **named: Given.kwargs) -> Found:
    """Return what `work` gives in a new process, which shares no memory with this one; it must be importable."""
    with ProcessPoolExecutor(1, mp_context=get_context("spawn")) as process:
        return process.submit(work, *given, **named).result()


def metered(work: Callable[[], object], turns: int = 1) -> Cost:
    """Return the cost of work in this process, its seconds as the median of the turns."""
    at_start = peak_bytes() / MB
    seconds = median_seconds(work, turns)
    return Cost(seconds, peak_bytes() / MB, at_start)


def median_seconds(
    work: Callable[[], object], turns: int = TURNS, clock: Callable[[Callable[[], object]], float] = cpu_seconds
) -> float:
    """Return the median CPU seconds of the turns."""
    return statistics.median(clock(work) for _ in range(turns))


def growth_of(name: str, of: str, costs: Mapping[int, Cost]) -> Growth:
    """Return the growth of these costs, by size."""
    found = costs.values()
    return Growth(
        name,
        of,
        tuple(costs),
        tuple(cost.seconds for cost in found),
        peaks=tuple(cost.peak for cost in found),
        at_start=statistics.median(cost.at_start for cost in found),
    )
