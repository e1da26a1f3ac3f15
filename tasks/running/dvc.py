"""Running one DVC stage of a campaign from a flow: what every Prefect task of a stage does.

DVC decides whether the stage has to run and is the only cache; this module starts workers (dvc_worker.py), hands them
requests, keeps the log of each stage in scratch/logs/, and turns a failure into the stage's own last error with the one
command that reruns it. Workers are kept for the next stage; they end with this process.
"""

import asyncio
import json
import os
import re
import signal
import subprocess
import sys
from contextlib import suppress
from pathlib import Path
from typing import Any

from evotrainer.campaign.layout import Subject, SubjectKind
from evotrainer.errors import EvoTrainerError
from tasks.running.progress import progress
from tasks.running.stage_process import RETRY_STATUS, failure, keep_warm, let_cool, log_path, stage_environment

_idle: dict[Path, list["DvcWorker"]] = {}


class DvcWorker:
    """The near end of one worker process."""

    def __init__(self, root: Path):
        self.root = root
        self.process = subprocess.Popen(
            [sys.executable, "-m", "tasks.running.dvc_worker", str(root)],
            cwd=root,
            env=stage_environment(root),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=_open_log(root / "scratch" / "logs" / "dvc.log"),
            text=True,
            start_new_session=True,
        )

    def request(self, **request: Any) -> dict[str, Any]:
        """Send one request and wait for its answer; blocks."""
        assert self.process.stdin is not None and self.process.stdout is not None
        try:
            print(json.dumps(request), file=self.process.stdin, flush=True)
            line = self.process.stdout.readline()
        except BrokenPipeError:
            line = ""
        return json.loads(line) if line else {"ok": False, "error": "the DVC worker ended", "is_foreseen": False}

    def close(self) -> None:
        """End the process, and the stage that it may be running."""
        with suppress(ProcessLookupError):
            os.killpg(self.process.pid, signal.SIGTERM)
        self.process.wait()
        for stream in (self.process.stdin, self.process.stdout):
            if stream is not None:
                stream.close()

    @property
    def is_usable(self) -> bool:
        """Whether the process still answers."""
        return self.process.poll() is None


async def run_stage(root: Path, subject: Subject, stage: str, force: bool = False) -> bool:
    """Bring `stage` of a subject up to date; return whether it had to run. Raises with the stage's own last error."""
    target = stage_target(subject, stage)
    keep_warm(root)
    with progress().running(subject.name, stage, log_path(root, subject, stage)):
        request = {"action": "repro", "stage": stage, "target": target, "force": force}
        answer = await _request(root, subject, stage, **request)
    progress().done(subject.name, stage, ran=bool(answer["ran"]))
    return bool(answer["ran"])


async def run_action(root: Path, subject: Subject, action: str, **request: Any) -> dict[str, Any]:
    """Let a worker do something else than a stage (push, pull) for a subject; return its answer."""
    with progress().running(subject.name, action, log_path(root, subject, action)):
        return await _request(root, subject, action, action=action, **request)


def close_workers(root: Path) -> None:
    """End the idle workers of a campaign, and the process that forks for its stages."""
    rest_workers(root)
    let_cool(root)


def rest_workers(root: Path) -> None:
    """End what idles while a version waits for a person; what another version's stage needs goes on."""
    for worker in _idle.pop(root, []):
        worker.close()


def stage_target(subject: Subject, stage: str) -> str:
    """Return the DVC address of a stage; the root pipeline has one stage for each base policy."""
    if subject.kind is SubjectKind.POLICY:
        return f"dvc.yaml:{stage}@{subject}"
    return f"{subject.folder}/dvc.yaml:{stage}"


def rerun_command(root: Path, subject: Subject, stage: str) -> str:
    """Return the one command that runs a stage again, as a person would type it."""
    return f"(cd {root} && {Path(sys.executable).parent / 'dvc'} repro -s {stage_target(subject, stage)})"


async def _request(root: Path, subject: Subject, what: str, **request: Any) -> dict[str, Any]:
    log = log_path(root, subject, what)
    log.unlink(missing_ok=True)
    idle = _idle.get(root)
    worker = idle.pop() if idle else DvcWorker(root)
    try:
        answer = await asyncio.to_thread(worker.request, log=str(log.relative_to(root)), **request)
    except BaseException:  # cancelled: the stage must not run on without its flow
        worker.close()
        raise
    if worker.is_usable:
        _idle.setdefault(root, []).append(worker)
    if not answer["ok"]:
        raise _failure(root, subject, what, answer["error"], answer["is_foreseen"])
    return answer


def _failure(root: Path, subject: Subject, stage: str, error: str, is_foreseen: bool) -> EvoTrainerError:
    """Return the stage's own error, or DVC's; what DVC does not foresee in its own code is worth another try."""
    found = re.search(r"exited with (-?\d+)$", error)
    status = int(found[1]) if found else None if is_foreseen else RETRY_STATUS
    return failure(root, subject, stage, status, error, rerun_command(root, subject, stage))


def _open_log(path: Path) -> Any:
    path.parent.mkdir(parents=True, exist_ok=True)
    return path.open("a")
