"""Graded solutions, ten tests each. CPU seconds are of this process and of all below it."""

from collections.abc import Sequence

from benchmarks.speed.grading import graded, seconds_of_tree, small_programs
from benchmarks.speed.growth.apart import TURNS, median_seconds
from benchmarks.speed.growth.record import Growth


def measure_graded(sizes: Sequence[int]) -> Growth:
    """Return the growth of grading so many solutions."""
    return Growth("grading, ten stdin tests", "solutions", tuple(sizes), tuple(map(_seconds, sizes)))


def _seconds(count: int) -> float:
    tests, programs, _ = small_programs(None, count)
    graded(tests, programs)
    return median_seconds(lambda: graded(tests, programs), TURNS, seconds_of_tree)
