"""Storing attempts, and one query over them, each in a process of its own.

Attempts are stored in steps of 10,000, so that no more are in memory.
"""

from collections.abc import Sequence
from pathlib import Path
from tempfile import TemporaryDirectory

from benchmarks.peak_memory import MB, peak_bytes
from benchmarks.speed.attempts import simulated_attempts
from benchmarks.speed.growth.apart import TURNS, Cost, apart, growth_of, metered
from benchmarks.speed.growth.record import Growth
from benchmarks.speed.measure import cpu_seconds
from benchmarks.speed.queries import VERSION, ask
from evotrainer.campaign.layout import CampaignFiles
from evotrainer.evidence.store import write_rows
from evotrainer.records import Trajectory

STEP_ROWS, FEW_ROWS = 10_000, 256


def measure_stored(sizes: Sequence[int]) -> list[Growth]:
    """Return the growth of storing so many attempts, and of one query over them."""
    storing, asking = {}, {}
    for size in sizes:
        with TemporaryDirectory() as folder:
            storing[size] = apart(store, Path(folder), size)
            asking[size] = apart(query, Path(folder))
    return [
        growth_of("storing, 10,000 attempts a step", "attempts", storing),
        growth_of("one query", "attempts", asking),
    ]


def store(root: Path, count: int) -> Cost:
    """Store so many attempts as training of a version below `root`."""
    with TemporaryDirectory() as folder:
        _write(CampaignFiles(Path(folder)), 0, simulated_attempts(FEW_ROWS))
    at_start, seconds = peak_bytes() / MB, 0.0
    files, rows = CampaignFiles(root), simulated_attempts(min(count, STEP_ROWS))
    for step in range(max(1, count // STEP_ROWS)):
        part = [row.model_copy(update={"step": step}) for row in rows]
        seconds += cpu_seconds(lambda step=step, part=part: _write(files, step, part))
    return Cost(seconds, peak_bytes() / MB, at_start)


def query(root: Path) -> Cost:
    """Ask for dead groups and the solve rate by step, over all that is stored below `root`."""
    with TemporaryDirectory() as folder:
        files = CampaignFiles(Path(folder))
        _write(files, 0, simulated_attempts(FEW_ROWS))
        ask(files)
    files = CampaignFiles(root)
    return metered(lambda: ask(files), TURNS)


def _write(files: CampaignFiles, step: int, rows: Sequence[Trajectory]) -> None:
    version = files.version(VERSION)
    version.root.mkdir(parents=True, exist_ok=True)
    (version.root / "spec.json").touch()
    write_rows(version.training, step, rows)
