"""Queries over stored evidence, beside pandas that reads the columns it needs from the same Parquet files.

Ours compares each file with its recorded hash, opens the views and asks; pandas reads and groups, and checks nothing.
"""

import math
from pathlib import Path
from tempfile import TemporaryDirectory

import pandas as pd

from benchmarks.speed.attempts import simulated_attempts
from benchmarks.speed.measure import Measure, compare
from evotrainer.algorithm.filters import DEAD_SPREAD
from evotrainer.campaign.layout import CampaignFiles
from evotrainer.evidence.frames import Frame
from evotrainer.evidence.store import write_rows
from evotrainer.evidence.views import connect_evidence, evidence_paths

NUM_STEPS, VERSION = 10, "v000"
DEAD_GROUPS = f"""
    SELECT step, avg(CAST(spread < {DEAD_SPREAD} AS INT)), avg(solved)
    FROM (SELECT step, group_id, stddev(reward) AS spread, avg(correct) AS solved
          FROM all_trajectories GROUP BY step, group_id)
    GROUP BY step ORDER BY step
"""
Answer = list[tuple[float, ...]]


def measure_queries(count: int) -> list[Measure]:
    """Return the measure of the share of dead groups and the solve rate by step, over `count` attempts."""
    with TemporaryDirectory() as folder:
        files = CampaignFiles(Path(folder))
        _store(files, count)
        return [
            compare(
                f"dead groups and solve rate by step, {count} stored attempts",
                "pandas over the same Parquet",
                lambda: ask(files),
                lambda: _pandas(files),
                "shares to 1e-9",
                _is_equal,
            )
        ]


def _store(files: CampaignFiles, count: int) -> None:
    """Write the attempts step by step, so that rows of one step are in memory."""
    version = files.version(VERSION)
    version.training.mkdir(parents=True)
    (version.root / "spec.json").touch()
    for step in range(NUM_STEPS):
        rows = simulated_attempts(count // NUM_STEPS, seed=step)
        write_rows(version.training, step, [row.model_copy(update={"step": step}) for row in rows])


def ask(files: CampaignFiles) -> Answer:
    """Return the share of dead groups and the solve rate by step."""
    connection = connect_evidence(files, evidence_paths(files, DEAD_GROUPS), versions=(), sql=DEAD_GROUPS)
    connection.execute("SET threads = 1")
    return connection.execute(DEAD_GROUPS).fetchall()


def _pandas(files: CampaignFiles) -> Answer:
    paths = sorted((files.version(VERSION).training / "trajectories").glob("*.parquet"))
    columns = ["step", "group_id", "reward", "correct"]
    rows: Frame = pd.concat([pd.read_parquet(path, columns=columns) for path in paths])
    by_group = rows.groupby(["step", "group_id"])
    table = pd.DataFrame({"dead": by_group["reward"].std() < DEAD_SPREAD, "solved": by_group["correct"].mean()})
    by_step: Frame = table.groupby(level="step").mean()
    return list(by_step.itertuples(name=None))


def _is_equal(ours: Answer, theirs: Answer) -> bool:
    return len(ours) == len(theirs) and all(
        math.isclose(one, other, rel_tol=1e-9)
        for mine, his in zip(ours, theirs, strict=True)
        for one, other in zip(mine, his, strict=True)
    )
