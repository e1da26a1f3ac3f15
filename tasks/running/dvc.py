"""Running DVC on a campaign from a flow: what every Prefect task of a stage does.

DVC decides whether a stage has to run and is the only cache. Each request is a `dvc` command as a person would type it,
in a session of its own that ends with its flow. What it and the stage print is kept in scratch/logs/; a failure becomes
the stage's own last error with the one command that reruns it.

Candidates that train side by side share one workspace: the repository lock, which DVC holds before and after a stage
but not while it runs, is waited for, and a path that another command is just writing is tried again.
"""

import asyncio
import os
import re
import shutil
import signal
import sys
import time
from collections.abc import Mapping, Sequence
from contextlib import suppress
from pathlib import Path

from evotrainer.campaign.layout import Subject, SubjectKind
from evotrainer.config.yaml_files import load_yaml
from evotrainer.errors import RETRY_STATUS, BudgetError, EvoTrainerError
from evotrainer.sandbox import kernel
from tasks.running.progress import progress
from tasks.running.stage_process import failure, keep_warm, log_path, stage_environment

UP_TO_DATE = "Data and pipelines are up to date."
LOCKED = ("Unable to acquire lock", "is busy, it is being blocked by")
UNFORESEEN = re.compile(r"unexpected error|.*:$")
"""What DVC does not foresee in its own code is worth another try: it may have no word for the cause."""
MAX_LOCK_SECONDS, POLL_SECONDS = 600.0, 0.5


async def run_stage(root: Path, subject: Subject, stage: str, force: bool = False) -> bool:
    """Bring `stage` of a subject up to date; return whether it had to run. Raises with the stage's own last error.

    A stage that the budget stopped leaves no half of an output, but the answers that were paid for.
    """
    keep_warm(root)
    command = ["repro", "-s", *(["-f"] if force else []), stage_target(subject, stage)]
    try:
        said = await _dvc(root, subject, stage, command, stage_environment(root, stage))
    except BudgetError:
        _remove_outputs(root / subject.folder, stage)
        raise
    ran = UP_TO_DATE not in said
    progress().done(subject.name, stage, ran)
    return ran


async def run_dvc(root: Path, subject: Subject, command: str, *arguments: str) -> None:
    """Let DVC do something else than a stage (push, add, commit) for a subject."""
    await _dvc(root, subject, command, [command, *arguments], stage_environment(root))


async def pull(root: Path, subject: Subject, targets: Sequence[str]) -> None:
    """Fetch the outputs of these DVC files, and of all stages that they stand on, and link them into the workspace.

    Stages of a dvc.yaml that never ran here have no outputs: a campaign makes one base policy of several.
    """
    recorded = [one for target in targets for one in _recorded(root, target)]
    if recorded:
        await run_dvc(root, subject, "pull", "--with-deps", "--force", *recorded)


def stage_target(subject: Subject, stage: str) -> str:
    """Return the DVC address of a stage; the root pipeline has one stage for each base policy."""
    if subject.kind is SubjectKind.POLICY:
        return f"dvc.yaml:{stage}@{subject}"
    return f"{subject.folder}/dvc.yaml:{stage}"


def _recorded(root: Path, target: str) -> list[str]:
    """Return a DVC file, or of a dvc.yaml the stages whose outputs are recorded."""
    if not target.endswith("dvc.yaml"):
        return [target]
    lock = (root / target).with_suffix(".lock")
    return [f"{target}:{stage}" for stage in load_yaml(lock.read_text(encoding="utf-8"))["stages"]]


def _remove_outputs(folder: Path, stage: str) -> None:
    """Remove what a stage wrote, but for outputs of which DVC keeps the last state."""
    for out in load_yaml((folder / "dvc.yaml").read_text(encoding="utf-8"))["stages"][stage]["outs"]:
        [(name, settings)] = [(out, {})] if isinstance(out, str) else out.items()
        place = folder / name
        if place.is_dir() and not settings.get("persist"):
            shutil.rmtree(place)
        elif not settings.get("persist"):
            place.unlink(missing_ok=True)


async def _dvc(root: Path, subject: Subject, what: str, command: list[str], environment: Mapping[str, str]) -> str:
    """Run a DVC command until no lock is in its way; return what it printed."""
    log = log_path(root, subject, what)
    log.parent.mkdir(parents=True, exist_ok=True)
    end = time.monotonic() + MAX_LOCK_SECONDS
    with progress().running(subject.name, what, log):
        while (status := await _attempt(root, command, environment, log)) != 0:
            error = _error_in(log) if status > 0 else f"DVC was ended by signal {-status}"
            if not any(sign in error for sign in LOCKED) or time.monotonic() > end:
                raise _failure(root, subject, what, command, status, error)
            await asyncio.sleep(POLL_SECONDS)  # DVC raises at once there, and tells nobody when the path is free
    return log.read_text(errors="replace")


async def _attempt(root: Path, command: list[str], environment: Mapping[str, str], log: Path) -> int:
    with log.open("w") as stream:
        process = await asyncio.create_subprocess_exec(
            *[sys.executable, "-m", "dvc", "--wait-for-lock", *command],
            cwd=root,
            env=environment,
            stdin=asyncio.subprocess.DEVNULL,
            stdout=stream,
            stderr=stream,
            start_new_session=True,
            preexec_fn=kernel.die_with_parent,
        )
    try:
        return await process.wait()
    except BaseException:  # cancelled: the stage must not run on without its flow
        with suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGTERM)
        raise


def _error_in(log: Path) -> str:
    """Return the last error that DVC printed, in one line, without the advice after it."""
    _, mark, error = f"\n{log.read_text(errors='replace')}".rpartition("\nERROR: ")
    return " ".join(error.partition("\n\n")[0].split()) if mark else "DVC failed, and did not say why"


def _failure(
    root: Path, subject: Subject, what: str, command: Sequence[str], status: int, error: str
) -> EvoTrainerError:
    """Return the stage's own error, or DVC's."""
    found = re.search(r"exited with (-?\d+)$", error)
    is_foreseen = status > 0 and not UNFORESEEN.match(error)
    ended = int(found[1]) if found else None if is_foreseen else RETRY_STATUS
    rerun = f"(cd {root} && {Path(sys.executable).parent / 'dvc'} {' '.join(command)})"
    return failure(root, subject, what, ended, error, rerun)
