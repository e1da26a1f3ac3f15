"""How fast all pairs of versions are compared: one shared resample against scipy's bootstrap pair by pair.

Both are timed in CPU seconds of this process, in turns within one run, so that a busy machine slows both; the ratio is
taken of medians. scipy is not run on all pairs: up to `TIMED` of them are timed one by one, and the median time of one
is multiplied by their number. The table says so. All pairs are of one size, so that scipy's cost of each is the same.
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

from benchmarks.gate_simulation.score_models import DEFAULT_BETA
from evotrainer.evidence.score_table import ScoreTable, paired_differences
from evotrainer.promotion.statistics import compare_all

ATTEMPTS, CONFIDENCE = 8, 0.95
TURNS, TIMED = 5, 20


@dataclass(frozen=True)
class PairSpeed:
    """Cost of all pairs at one number of problems."""

    problems: int
    pairs: int
    seconds: float
    scipy_seconds: float
    """Of all pairs, extrapolated from those that were timed."""
    timed_pairs: int
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
    tables = {
        f"v{number:03d}": ScoreTable(names, (rng.random((problems, ATTEMPTS)) < chance_N1).astype(float))
        for number in range(versions)
    }
    pairs = list(itertools.combinations(tables.values(), 2))
    timed = pairs[:: max(1, len(pairs) // TIMED)][:TIMED]

    def ours() -> None:
        compare_all(tables, samples=samples, confidence=CONFIDENCE, seed=0)

    def theirs(first: ScoreTable, second: ScoreTable) -> None:
        values_N = paired_differences(first, second)
        stats.bootstrap((values_N,), np.mean, n_resamples=samples, method="percentile", rng=0)

    ours()
    mine, scipy = [], []
    for turn in range(TURNS):
        mine.append(_seconds(ours))
        scipy += [_seconds(lambda pair=pair: theirs(*pair)) for pair in timed[turn::TURNS]]
    extrapolated = statistics.median(scipy) * len(pairs)
    return PairSpeed(problems, len(pairs), statistics.median(mine), extrapolated, len(timed), _peak(ours))


def pairs_table(found: Sequence[PairSpeed]) -> str:
    """Return a Markdown table, one row a number of problems, and how scipy's seconds and the ratio were had."""
    lines = [
        "| problems | pairs | all pairs, CPU s | pairs timed with scipy | scipy on all pairs, extrapolated, CPU s "
        "| ratio | peak memory, MB |",
        "|---|---|---|---|---|---|---|",
    ]
    for row in found:
        lines.append(
            f"| {row.problems} | {row.pairs} | {row.seconds:.3f} | {row.timed_pairs} "
            f"| {row.scipy_seconds:.1f} | {row.ratio:.0f} | {row.peak_bytes / 1e6:.0f} |"
        )
    note = (
        "scipy's seconds, and with them the ratio, are extrapolated: the median CPU time of the pairs that were "
        "timed, times the number of pairs."
    )
    return "\n".join([*lines, "", note]) + "\n"


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
