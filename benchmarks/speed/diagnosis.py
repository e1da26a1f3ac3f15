"""The harness over a JSONL file of rows from elsewhere, beside pandas that computes eleven of its metrics.

Both start from the file. The harness gives every metric and finding, so a ratio below 1 says what the rest costs.
"""

import math
from pathlib import Path
from tempfile import TemporaryDirectory

import pandas as pd

from benchmarks.speed.attempts import simulated_attempts
from benchmarks.speed.measure import Measure, compare
from evotrainer.algorithm.filters import DEAD_SPREAD
from evotrainer.evidence.foreign import export_rows
from evotrainer.evidence.frames import Frame
from evotrainer.records import HarnessReport
from tasks.diagnose.stage import diagnose_rows


def measure_diagnosis(count: int) -> list[Measure]:
    """Return the measure of one diagnosis of `count` attempts."""
    with TemporaryDirectory() as folder:
        path = Path(folder) / "rows.jsonl"
        export_rows(simulated_attempts(count), path)
        return [
            compare(
                f"diagnosis of {count} rows from elsewhere",
                "pandas, 11 of the metrics",
                lambda: diagnose_rows(path),
                lambda: _pandas(path),
                "the 11 metrics to 1e-8",
                _is_equal,
            )
        ]


def _pandas(path: Path) -> dict[str, float]:
    rows: Frame = pd.read_json(path, lines=True, convert_dates=False)
    by_group = rows.groupby("group_id")
    spread, solved = by_group["reward"].std(), by_group["correct"]
    return {
        "num_rows": float(len(rows)),
        "num_groups": float(by_group.ngroups),
        "solve_rate": rows["correct"].mean(),
        "avg_at_k": solved.mean().mean(),
        "pass_at_k": solved.max().mean(),
        "mean_reward": rows["reward"].mean(),
        "dead_group_ratio": (spread < DEAD_SPREAD).mean(),
        "usable_groups": (spread >= DEAD_SPREAD).mean(),
        "truncation_rate": rows["is_truncated"].mean(),
        "mean_tokens": rows["num_tokens"].mean(),
        "median_tokens": rows["num_tokens"].median(),
    }


def _is_equal(ours: HarnessReport, theirs: dict[str, float]) -> bool:
    return all(math.isclose(ours.metrics[name], value, rel_tol=1e-8) for name, value in theirs.items())
