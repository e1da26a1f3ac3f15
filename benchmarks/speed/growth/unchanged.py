"""`dvc repro` of a training stage that is up to date, by the attempts that its outputs hold.

    a scratch repository of git and DVC, with the code of this checkout
    versions/v001/dvc.yaml:train    reads spec.json and the code, as stages do
        training/                   two files a step of 128 attempts, as a training of math leaves them

It is asked in both ways: typed, as one command, and by a request to a worker of the flow that has answered before. Real
stages have some more inputs: small files, and folders of other stages.
"""

import os
import resource
import shutil
import subprocess
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import yaml

from benchmarks.process_tree import tree_seconds
from benchmarks.speed.attempts import simulated_attempts
from benchmarks.speed.growth.apart import TURNS, median_seconds
from benchmarks.speed.growth.record import Growth
from evotrainer.campaign.layout import CampaignFiles
from evotrainer.campaign.subjects import Subject
from evotrainer.evidence.store import write_rows
from flows.workspace.git import git
from flows.workspace.worktree import project_root
from tasks.plan.pipeline import Stage
from tasks.running.dvc import DvcWorker, stage_target
from tasks.running.finished_stages import note_path

VERSION, STAGE = Subject.version("v001"), "train"
TARGET = stage_target(VERSION, STAGE)
STEP_ATTEMPTS = 128
"""Attempts of one step of a math training."""
COMMAND = "echo ran >> ../../scratch/runs; cp -r ../../scratch/training training\n"
"""What tasks/stage.sh is replaced by: the evidence was written beforehand."""
REQUESTS = 10
"""To the worker, of which the mean is taken: seconds of another process are known to a hundredth."""


def measure_unchanged(sizes: Sequence[int]) -> list[Growth]:
    """Return the growth of a stage brought up to date that is so already, typed and by the flow's worker."""
    typed, flow = [], []
    for size in sizes:
        with TemporaryDirectory() as folder:
            root = Path(folder)
            prepare(root, size)
            flow.append(ask_worker(root))
            typed.append(type_command(root))
    return [
        Growth("`dvc repro`, nothing to do", "attempts", tuple(sizes), tuple(typed)),
        Growth("the same by the flow's worker", "attempts", tuple(sizes), tuple(flow)),
    ]


def prepare(root: Path, count: int) -> None:
    """Make the repository, with so many attempts for the stage to write, rounded down to whole steps."""
    rows = simulated_attempts(min(count, STEP_ATTEMPTS))
    for step in range(max(1, count // STEP_ATTEMPTS)):
        write_rows(root / "scratch" / "training", step, [row.model_copy(update={"step": step}) for row in rows])
    git(root, "init", "--quiet")
    here, own = project_root(), CampaignFiles(root).version(VERSION.name)
    for name in ("evotrainer", "tasks"):
        shutil.copytree(here / name, root / name, ignore=shutil.ignore_patterns("__pycache__"))
    (root / "tasks" / "stage.sh").write_text(COMMAND)
    (root / ".dvc").mkdir()
    for name in (".dvcignore", ".dvc/config"):
        shutil.copy(here / name, root / name)
    own.root.mkdir(parents=True)
    own.spec.write_text("{}")
    stage = Stage(STAGE, [own.spec.name], cached=[own.training.name])
    stages = {STAGE: stage.as_dvc(VERSION.name, "../..")}
    (own.root / "dvc.yaml").write_text(yaml.safe_dump({"stages": stages}, sort_keys=False))


def ask_worker(root: Path) -> float:
    """Let a worker run the stage, and return the CPU seconds of a request after that.

    Raises:
        RuntimeError: the stage failed, did not run at first, or ran again.

    """
    worker = DvcWorker(root)
    try:
        if _request(worker) != [TARGET]:
            raise RuntimeError(f"{TARGET} did not run at first")
        _request(worker)
        before = tree_seconds(worker.process.pid)
        ran = [_request(worker) for _ in range(REQUESTS)]
        seconds = tree_seconds(worker.process.pid) - before
    finally:
        worker.close()
    _check(root, any(ran))
    return seconds / REQUESTS


def type_command(root: Path, turns: int = TURNS) -> float:
    """Return the CPU seconds of the command for a stage that has run, all of its process.

    Raises:
        RuntimeError: the stage ran again.

    """
    command = [sys.executable, "-m", "dvc", "repro", "-s", TARGET]
    environment = os.environ | {"DVC_NO_ANALYTICS": "1"}
    seconds = median_seconds(
        lambda: subprocess.run(command, cwd=root, env=environment, check=True, capture_output=True),
        turns,
        _seconds_of_children,
    )
    _check(root)
    return seconds


def _request(worker: DvcWorker) -> list[str]:
    note = str(note_path(worker.root, VERSION, STAGE))
    answer: dict[str, Any] = worker.request(
        action="repro", stage=STAGE, target=TARGET, note=note, force=False, log="scratch/logs/train.log"
    )
    if not answer["ok"]:
        raise RuntimeError(f"{TARGET}: {answer['error']}")
    return answer["ran"]


def _seconds_of_children(work: Callable[[], object]) -> float:
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    work()
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def _check(root: Path, has_run: bool = False) -> None:
    if has_run or (root / "scratch" / "runs").read_text() != "ran\n":
        raise RuntimeError(f"{TARGET} had to run, and should have had nothing to do")
