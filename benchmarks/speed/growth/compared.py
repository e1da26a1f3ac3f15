"""Versions compared: each with the one before, as verdicts do, and all pairs, as a person may ask for."""

from collections.abc import Callable, Sequence
from itertools import pairwise

import numpy as np

from benchmarks.gate_simulation.score_models import DEFAULT_BETA
from benchmarks.speed.growth.apart import median_seconds
from benchmarks.speed.growth.record import Growth
from evotrainer.evidence.score_table import ScoreTable
from evotrainer.promotion.statistics import compare, compare_all

PROBLEMS, ATTEMPTS, SAMPLES, CONFIDENCE = 77, 8, 10_000, 0.95


def measure_compared(sizes: Sequence[int]) -> list[Growth]:
    """Return the growth of comparing so many versions with their incumbents, and in all pairs."""
    return [
        _growth(f"each version against the one before, {PROBLEMS} problems", sizes, _against_incumbent),
        _growth(f"all pairs, {PROBLEMS} problems", sizes, _pairs),
    ]


def _growth(name: str, sizes: Sequence[int], compared: Callable[[int], Callable[[], None]]) -> Growth:
    return Growth(name, "versions", tuple(sizes), tuple(_seconds(compared(size)) for size in sizes))


def _seconds(work: Callable[[], None]) -> float:
    work()
    return median_seconds(work)


def _against_incumbent(count: int) -> Callable[[], None]:
    """Compare as verdicts do, with the version before: what is promoted changes nothing of the cost."""
    tables = list(_tables(count).items())

    def compared() -> None:
        for (against, other), (_, table) in pairwise(tables):
            compare(table, other, against=against, metric="score", samples=SAMPLES, confidence=CONFIDENCE, seed=0)

    return compared


def _pairs(count: int) -> Callable[[], None]:
    tables = _tables(count)

    def compared() -> None:
        compare_all(tables, samples=SAMPLES, confidence=CONFIDENCE, seed=0)

    return compared


def _tables(count: int) -> dict[str, ScoreTable]:
    rng = np.random.default_rng(count)
    chance_N1 = rng.beta(*DEFAULT_BETA, (PROBLEMS, 1))
    names = tuple(f"{number:05d}" for number in range(PROBLEMS))
    return {
        f"v{number:03d}": ScoreTable(names, (rng.random((PROBLEMS, ATTEMPTS)) < chance_N1).astype(float))
        for number in range(count)
    }
