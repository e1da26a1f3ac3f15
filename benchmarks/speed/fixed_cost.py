"""What the pipeline adds to a version: campaigns of a small budget, beside their stages in one process.

    folder/clone/        a clone in which three campaigns run: one for what is made once and kept, one of FEW versions
                         and one of MANY
    folder/alone/        the campaign of MANY again, its stages one after the other in this process

A version's cost in the pipeline is the difference of the two campaigns, a version: start, end and certificate fall out.
It holds the command, Prefect with its server, stage processes, DVC and git. The stages of the same versions in this
process are the peer; the first version's imports are not counted there. Both sides' versions must end in the same
verdicts.
"""

import contextlib
import io
import os
import resource
import subprocess
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from benchmarks.worlds.in_process import lay_out, run_campaign
from evotrainer.campaign.documents import read_numbers
from evotrainer.campaign.layout import CampaignFiles
from evotrainer.errors import InfrastructureError

FEW, MANY = 1, 3
TRIVIAL = (
    "memory=none",
    "budget.train_tokens=2000",
    "budget.rollout_problems=8",
    "budget.probe_problems=8",
    "evaluate.max_problems=16",
    "evaluate.attempts=2",
)
"""A campaign whose stages have next to nothing to do."""


@dataclass(frozen=True)
class FixedCost:
    """CPU seconds a version, in the pipeline and by its stages alone."""

    pipeline: float
    stages: float
    is_same: bool
    """Whether the versions of both sides have the same verdicts."""

    @property
    def added(self) -> float:
        """What the pipeline adds to a version."""
        return self.pipeline - self.stages


def measure_fixed_cost(
    main: Path, folder: Path, settings: Sequence[str], told: Callable[[str], None] = lambda line: None
) -> FixedCost:
    """Measure campaigns with these settings; `main` is the checkout, `folder` does not exist yet."""
    root = folder / "clone"
    subprocess.run(["git", "clone", "--quiet", str(main), str(root)], check=True)
    _command(root, "data", "build")
    seconds = {}
    for name, num_versions in (("made", FEW), ("few", FEW), ("many", MANY)):
        seconds[name] = _run(root, name, [*settings, f"num_versions={num_versions}"])
        told(f"{num_versions} versions in the pipeline: {seconds[name]:.1f} CPU s")
    pipeline, alone = CampaignFiles(root / "campaigns" / "many"), CampaignFiles(folder / "alone")
    lay_out(alone, pipeline.root, [*settings, f"num_versions={MANY}"])
    with contextlib.redirect_stderr(io.StringIO()), contextlib.redirect_stdout(io.StringIO()):
        run_campaign(alone)
    later = alone.version_names()[-(MANY - FEW) :]
    stages = sum(_stage_seconds(alone, version) for version in later)
    told(f"{', '.join(later)} in one process: {stages:.1f} CPU s")
    share = MANY - FEW
    is_same = _verdicts(pipeline) == _verdicts(alone)
    return FixedCost((seconds["many"] - seconds["few"]) / share, stages / share, is_same)


def _run(root: Path, name: str, settings: Sequence[str]) -> float:
    """Run a campaign to its end; return the CPU seconds of the command and of all that it started."""
    before = _children_seconds()
    _command(root, "campaign", "run", name, *settings)
    return _children_seconds() - before


def _command(root: Path, *words: str) -> None:
    """Run `evotrainer WORDS` with the clone's code."""
    environment = {**os.environ, "PYTHONPATH": str(root), "EVOTRAINER_PYTHON": sys.executable}
    command = [sys.executable, "-m", "cli.main", *words]
    done = subprocess.run(command, cwd=root, env=environment, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        raise InfrastructureError(f"{' '.join(words[:3])} ended with status {done.returncode}: {done.stderr[-2000:]}")


def _children_seconds() -> float:
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def _stage_seconds(files: CampaignFiles, version: str) -> float:
    return sum(read_numbers(path).get("cpu_seconds", 0.0) for path in files.version(version).costs.glob("*.json"))


def _verdicts(files: CampaignFiles) -> list[tuple[str, str, float | None]]:
    verdicts = [files.version(version).verdict.read() for version in files.version_names()]
    return [(verdict.version, verdict.outcome, verdict.score) for verdict in verdicts]
