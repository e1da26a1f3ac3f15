"""Diagnosis of a file of attempts, each size in a process that did not make the file."""

from collections.abc import Sequence
from pathlib import Path
from tempfile import TemporaryDirectory

from benchmarks.speed.attempts import simulated_attempts
from benchmarks.speed.growth.apart import Cost, apart, growth_of, metered
from benchmarks.speed.growth.record import Growth
from evotrainer.evidence.foreign import export_rows
from tasks.diagnose.stage import diagnose_rows

FEW_ROWS = 256


def measure_diagnosed(sizes: Sequence[int]) -> Growth:
    """Return the growth of a diagnosis, from the file to the report."""
    costs = {}
    for size in sizes:
        with TemporaryDirectory() as folder:
            path = Path(folder) / "rows.jsonl"
            export_rows(simulated_attempts(size), path)
            costs[size] = apart(diagnose, path)
    return growth_of("diagnosis, file to report", "rows", costs)


def diagnose(path: Path) -> Cost:
    """Diagnose the rows of a file."""
    with TemporaryDirectory() as folder:
        few = Path(folder) / "rows.jsonl"
        export_rows(simulated_attempts(FEW_ROWS), few)
        diagnose_rows(few)
    return metered(lambda: diagnose_rows(path))
