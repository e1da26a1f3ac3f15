"""Running a stage of a campaign as a process with the campaign's own code, and reading what it left behind.

Used for what is no DVC stage (planning, the report), and for the environment, log and error of those that are.

A stage runs code of a policy, of plugins and of a person's own domain: it sees no variable that holds a secret, but for
those that it needs. The flow keeps all, and so do its DVC commands that push and pull, which need the storage's.
"""

import asyncio
import os
import re
import shutil
import signal
import socket
import subprocess
import sys
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path

from evotrainer.campaign.layout import Subject
from evotrainer.errors import BUDGET_STATUS, RETRY_STATUS, BudgetError, EvoTrainerError, InfrastructureError
from evotrainer.sandbox.processes import OWNER_VARIABLE, owner_token
from tasks.running.progress import progress

FULL_BYTES = 20_000_000
"""A disk with less is taken for the cause of whatever failed."""
KILLED_STATUSES = (-9, 137)
WARM_SOCKET = "scratch/warm.sock"
_EXCEPTION = re.compile(r"[\w.]+(Error|Exception)\b")

_warm: dict[Path, subprocess.Popen[bytes]] = {}


class StageFailedError(EvoTrainerError):
    """A stage ended with an error; the message is that error and the command that reruns it."""


class MachineFailedError(InfrastructureError):
    """A stage ended because the machine, or DVC around it, failed; trying again may help."""

    def __init__(self, reason: str, rerun: str):
        super().__init__(f"{reason}. Rerun it: {rerun}")
        self.reason = reason


async def run_code(root: Path, stage: str, subject: Subject) -> None:
    """Run `stage` with the campaign's code and wait for it; raises with the stage's own last error."""
    log = log_path(root, subject, stage)
    log.parent.mkdir(parents=True, exist_ok=True)
    keep_warm(root)
    command = ["sh", "tasks/stage.sh", stage, subject.name]
    with progress().running(subject.name, stage, log), log.open("w") as stream:
        process = await asyncio.create_subprocess_exec(
            *command, cwd=root, env=stage_environment(root, stage), stdout=stream, stderr=stream, start_new_session=True
        )
        status = await process.wait()
    if status != 0:
        raise failure(root, subject, stage, status, "", f"(cd {root} && {' '.join(command)})")


def keep_warm(root: Path) -> None:
    """Have a process at hand that forks for the stages of this campaign, see warm_stages.py."""
    if root in _warm and _warm[root].poll() is None:
        return
    scratch = root / "scratch"
    (scratch / "logs").mkdir(parents=True, exist_ok=True)
    (root / WARM_SOCKET).unlink(missing_ok=True)
    folder = os.open(root, os.O_PATH)
    with socket.socket(socket.AF_UNIX) as listener, (scratch / "logs" / "warm.log").open("w") as log:
        listener.bind(f"/proc/self/fd/{folder}/{WARM_SOCKET}")  # a socket's path may have 107 bytes only
        os.close(folder)
        listener.listen()
        _warm[root] = subprocess.Popen(
            [sys.executable, "-m", "tasks.running.warm_stages", str(listener.fileno())],
            cwd=root,
            env=stage_environment(root, "warm"),
            pass_fds=[listener.fileno()],
            stdin=subprocess.DEVNULL,
            stdout=log,
            stderr=log,
            start_new_session=True,
        )


def let_cool(root: Path) -> None:
    """End the process that forks for the stages of this campaign."""
    if process := _warm.pop(root, None):
        with suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGTERM)
        process.wait()
    (root / WARM_SOCKET).unlink(missing_ok=True)


def stage_environment(root: Path, stage: str | None = None) -> dict[str, str]:
    """Return the environment of a stage: the campaign's code first, this Python, this process as owner.

    Without a stage it is that of DVC where it pushes and pulls, which takes secrets.
    """
    found = dict(os.environ) if stage is None else visible(os.environ, stage)
    kept = {key: value for key, value in found.items() if not key.startswith(("PREFECT", "PYTHON", "GIT_"))}
    return {
        **kept,
        "PYTHONPATH": str(root),
        "PYTHONUNBUFFERED": "1",
        "EVOTRAINER_PYTHON": sys.executable,
        "EVOTRAINER_WARM": WARM_SOCKET,
        OWNER_VARIABLE: owner_token(),
        "DVC_NO_ANALYTICS": "1",
    }


def log_path(root: Path, subject: Subject, stage: str) -> Path:
    """Return where the output of a stage is kept."""
    return root / "scratch" / "logs" / subject.name / f"{stage}.log"


def last_error(log: Path) -> str:
    """Return the last line of a stage's log that the stage runner marked as its error, else how a traceback ends."""
    lines = log.read_text(errors="replace").splitlines() if log.is_file() else []
    marked = [line.removeprefix("error: ") for line in lines if line.startswith("error: ")]
    return (marked or [line for line in lines[-1:] if _EXCEPTION.match(line)] or [""])[-1]


def where_full(folder: Path, message: str) -> str:
    """Return a message, which says so where the disk of a folder is full: what failed could not write why."""
    free = shutil.disk_usage(folder).free
    return f"the disk is full, {free / 1e6:.0f} MB are left: {message}" if free < FULL_BYTES else message


def drop_bytecode(root: Path) -> None:
    """Remove a campaign's bytecode: a full disk cuts it short, Python takes it for whole, and no stage starts again."""
    for folder in [*root.rglob("__pycache__")]:
        shutil.rmtree(folder, ignore_errors=True)


def failure(root: Path, subject: Subject, stage: str, status: int | None, other: str, rerun: str) -> EvoTrainerError:
    """Return the error of a stage that ended with `status`; `other` where the stage itself printed none."""
    killed = f"killed by signal {-status}" if status is not None and status < 0 else other
    message = last_error(log_path(root, subject, stage)) or killed or f"exit status {status}"
    if status == BUDGET_STATUS:
        return BudgetError(f"{subject} {stage} was stopped: {message.rstrip('.')}")
    if shutil.disk_usage(root).free < FULL_BYTES:
        drop_bytecode(root)
    reason = f"{subject} {stage} failed: {where_full(root, message).rstrip('.')}"
    if status in (RETRY_STATUS, *KILLED_STATUSES):
        return MachineFailedError(reason, rerun)
    return StageFailedError(f"{reason}. Rerun it: {rerun}")


PASS_VARIABLE = "EVOTRAINER_PASS"
"""Names further variables, separated by commas, that every stage may see: a domain of one's own may need a key."""
SECRET_NAME = re.compile(
    r"(^|_)(API_?KEY|ACCESS_?KEY(_ID)?|PRIVATE_?KEY|KEY|SECRETS?|TOKENS?|PASSWORDS?|PASSWD|PASSPHRASE|CREDENTIALS?|PAT|AUTH_SOCK"
    r"|PASS|AUTH_STRING|CONNECTION_STRING|DSN|WEBHOOK|JWT)(_|$)"
    r"|_PWD$|(PASSWORD|TOKEN|JWT|(SECRET|API|ACCESS|PRIVATE)KEY)$|^(AWS|AZURE)_",
    re.IGNORECASE,
)
SECRET_VALUE = re.compile(r"^\w[\w+.-]*://[^/@\s:]*:[^/@\s]+@")
"""A URL with a password in it, with a user or without; that of a proxy is no secret of ours."""
PROXY = re.compile(r"_proxy$", re.IGNORECASE)

TRAINER_KEYS, ROLLOUT_KEY = frozenset({"ANTHROPIC_API_KEY", "OPENAI_API_KEY"}), "VLLM_API_KEY"
TRACKERS = frozenset(
    {"WANDB_API_KEY", *(f"MLFLOW_TRACKING_{name}" for name in ("URI", "TOKEN", "USERNAME", "PASSWORD"))}
)
NEEDED: dict[str, frozenset[str]] = {
    "propose": TRAINER_KEYS | {ROLLOUT_KEY},
    "evolve": TRAINER_KEYS,
    "train": TRACKERS | {ROLLOUT_KEY},
    **dict.fromkeys(("rollout", "backtest", "evaluate", "confirm", "certify"), frozenset({ROLLOUT_KEY})),
}
"""What the stages ask for: the trainer agent's model by two of them, a policy's server by those that sample."""


def visible(environment: Mapping[str, str], stage: str) -> dict[str, str]:
    """Return the variables that a stage may see."""
    passed = environment.get(PASS_VARIABLE, "").replace(",", " ").split()
    allowed = NEEDED.get(stage, frozenset()) | {PASS_VARIABLE, *passed}
    return {name: value for name, value in environment.items() if name in allowed or not _is_secret(name, value)}


def _is_secret(name: str, value: str) -> bool:
    return bool(SECRET_NAME.search(name) or (SECRET_VALUE.match(value) and not PROXY.search(name)))
