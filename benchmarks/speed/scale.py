"""How costs grow: CPU seconds at several sizes, and the slope of their logarithms. 1 is linear.

Attempts and versions are simulated. Attempts are stored in steps of 10,000, so that no more are in memory. Of each size
the median of three turns is taken, of storing and of diagnosis one turn.
"""

import statistics
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from tempfile import TemporaryDirectory

import matplotlib
import numpy as np

from benchmarks.gate_simulation.score_models import DEFAULT_BETA
from benchmarks.reports.markdown import markdown_table
from benchmarks.speed.attempts import simulated_attempts
from benchmarks.speed.grading import graded, seconds_of_tree, small_programs
from benchmarks.speed.measure import cpu_seconds
from benchmarks.speed.queries import VERSION, ask
from evotrainer.campaign.layout import CampaignFiles
from evotrainer.evidence.foreign import export_rows
from evotrainer.evidence.score_table import ScoreTable
from evotrainer.evidence.store import write_rows
from evotrainer.promotion.statistics import compare, compare_all
from tasks.diagnose.stage import diagnose_rows

TURNS, STEP_ROWS = 3, 10_000
PROBLEMS, ATTEMPTS, SAMPLES, CONFIDENCE = 77, 8, 10_000, 0.95
SOLUTIONS = (64, 256, 1024)


@dataclass(frozen=True)
class Growth:
    """CPU seconds of one kind of work at several sizes."""

    name: str
    unit: str
    sizes: tuple[int, ...]
    seconds: tuple[float, ...]

    @property
    def slope(self) -> float:
        """Of log(seconds) over log(size), by least squares."""
        return float(np.polyfit(np.log(self.sizes), np.log(self.seconds), 1)[0])


def measure_growth(attempts: Sequence[int], diagnosed: Sequence[int], versions: Sequence[int]) -> list[Growth]:
    """Return the growth of storing, queries, diagnosis, grading, and of versions compared: with one, and all pairs."""
    stored = [_stored_and_asked(count) for count in attempts]
    return [
        Growth("storing", "attempts", tuple(attempts), tuple(seconds for seconds, _ in stored)),
        Growth("one query", "attempts", tuple(attempts), tuple(seconds for _, seconds in stored)),
        _growth("diagnosis, file to report", "rows", diagnosed, _diagnosis),
        _growth("grading, ten stdin tests", "solutions", SOLUTIONS, _grading),
        _growth("each against its incumbent", "versions", versions, _against_incumbent),
        _growth("all pairs", "versions", versions, _pairs),
    ]


def growth_table(found: Sequence[Growth]) -> str:
    """Return a Markdown table, one row a kind of work."""
    rows = [
        [
            one.name,
            one.unit,
            ", ".join(f"{size:,}" for size in one.sizes),
            ", ".join(f"{seconds:.3g}" for seconds in one.seconds),
            f"{one.slope:.2f}",
        ]
        for one in found
    ]
    return markdown_table("work | of | sizes | CPU s | slope", rows)


def plot_growth(found: Sequence[Growth], path: Path) -> None:
    """Draw CPU seconds over size, both axes logarithmic."""
    matplotlib.use("Agg")
    from matplotlib import pyplot as plt

    figure, axes = plt.subplots(figsize=(7, 4.5), layout="constrained")
    for one in found:
        axes.loglog(one.sizes, one.seconds, marker="o", label=f"{one.name} ({one.unit}): {one.slope:.2f}")
    axes.set_xlabel("size")
    axes.set_ylabel("CPU seconds")
    axes.grid(alpha=0.3)
    axes.legend(title="slope", fontsize=8)
    figure.savefig(path, dpi=130)
    plt.close(figure)


def _growth(name: str, unit: str, sizes: Sequence[int], seconds_of: Callable[[int], float]) -> Growth:
    return Growth(name, unit, tuple(sizes), tuple(seconds_of(size) for size in sizes))


def _median(work: Callable[[], object], clock: Callable[[Callable[[], object]], float] = cpu_seconds) -> float:
    work()
    return statistics.median(clock(work) for _ in range(TURNS))


def _stored_and_asked(count: int) -> tuple[float, float]:
    """Return the seconds that storing so many attempts takes, and those of one query over them."""
    rows = simulated_attempts(min(count, STEP_ROWS))
    with TemporaryDirectory() as folder:
        files = CampaignFiles(Path(folder))
        version = files.version(VERSION)
        version.training.mkdir(parents=True)
        (version.root / "spec.json").touch()
        seconds = 0.0
        for step in range(max(1, count // STEP_ROWS)):
            part = [row.model_copy(update={"step": step}) for row in rows]
            seconds += cpu_seconds(lambda step=step, part=part: write_rows(version.training, step, part))
        return seconds, _median(lambda: ask(files))


def _diagnosis(count: int) -> float:
    with TemporaryDirectory() as folder:
        path = Path(folder) / "rows.jsonl"
        export_rows(simulated_attempts(count), path)
        return cpu_seconds(lambda: diagnose_rows(path))


def _grading(count: int) -> float:
    tests, programs, _ = small_programs(None, count)
    return _median(lambda: graded(tests, programs), seconds_of_tree)


def _against_incumbent(count: int) -> float:
    """Compare as verdicts do, with the version before: what is promoted changes nothing of the cost."""
    tables = list(_tables(count).items())

    def compared() -> None:
        for (against, other), (_, table) in pairwise(tables):
            compare(table, other, against=against, metric="score", samples=SAMPLES, confidence=CONFIDENCE, seed=0)

    return _median(compared)


def _pairs(count: int) -> float:
    tables = _tables(count)
    return _median(lambda: compare_all(tables, samples=SAMPLES, confidence=CONFIDENCE, seed=0))


def _tables(count: int) -> dict[str, ScoreTable]:
    rng = np.random.default_rng(count)
    chance_N1 = rng.beta(*DEFAULT_BETA, (PROBLEMS, 1))
    names = tuple(f"{number:05d}" for number in range(PROBLEMS))
    return {
        f"v{number:03d}": ScoreTable(names, (rng.random((PROBLEMS, ATTEMPTS)) < chance_N1).astype(float))
        for number in range(count)
    }
