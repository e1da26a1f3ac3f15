"""How fast all pairs of versions are compared: one shared resample against scipy's bootstrap pair by pair.

Both are timed in CPU seconds of this process, in turns within one run, so that a busy machine slows both; the ratio is
taken of medians. scipy does the first few pairs and is extrapolated to all of them, which its own cost per pair allows.
Memory is the peak of what Python and numpy allocate during the comparison, the score tables not among it.
"""

import itertools
import statistics
import time
import tracemalloc
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from scipy import stats

from evotrainer.gates.score_models import DEFAULT_BETA
from evotrainer.statistics import ScoreTable, compare_all, paired_differences

ATTEMPTS, CONFIDENCE = 8, 0.95
TURNS = 5


@dataclass(frozen=True)
class PairSpeed:
    """Cost of all pairs at one number of problems."""

    problems: int
    pairs: int
    seconds: float
    scipy_seconds: float
    """Of all pairs, extrapolated."""
    peak_bytes: int

    @property
    def ratio(self) -> float:
        """How many times faster than scipy."""
        return self.scipy_seconds / self.seconds


def measure_pairs(problems: int, versions: int, samples: int) -> PairSpeed:
    """Return the cost of comparing `versions` versions at `problems` problems, Avg@8, with `samples` resamples."""
    rng = np.random.default_rng(problems)
    chance_N1 = rng.beta(*DEFAULT_BETA, (problems, 1))
    names = tuple(f"{number:05d}" for number in range(problems))
    tables = {f"v{number:03d}": ScoreTable(names, (rng.random((problems, ATTEMPTS)) < chance_N1).astype(float))
              for number in range(versions)}  # fmt: skip
    pairs = list(itertools.combinations(tables.values(), 2))

    def ours() -> None:
        compare_all(tables, samples=samples, confidence=CONFIDENCE, seed=0)

    def theirs() -> None:
        for first, second in pairs[:2]:
            values_N = paired_differences(first, second)
            stats.bootstrap((values_N,), np.mean, n_resamples=samples, method="percentile", rng=0)

    ours()
    turns = [(_seconds(ours), _seconds(theirs)) for _ in range(TURNS)]
    mine, scipy = (statistics.median(column) for column in zip(*turns, strict=True))
    return PairSpeed(problems, len(pairs), mine, scipy / 2 * len(pairs), _peak(ours))


def pairs_table(found: Sequence[PairSpeed]) -> str:
    """Return a Markdown table, one row a number of problems."""
    lines = ["| problems | pairs | all pairs, CPU s | scipy pair by pair, CPU s | ratio | peak memory, MB |",
             "|---|---|---|---|---|---|"]  # fmt: skip
    for row in found:
        lines.append(f"| {row.problems} | {row.pairs} | {row.seconds:.3f} | {row.scipy_seconds:.1f} | {row.ratio:.0f} "
                     f"| {row.peak_bytes / 1e6:.0f} |")  # fmt: skip
    return "\n".join(lines) + "\n"


def _seconds(work: Callable[[], None]) -> float:
    started = time.process_time()
    work()
    return time.process_time() - started


def _peak(work: Callable[[], None]) -> int:
    tracemalloc.start()
    work()
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    return peak
