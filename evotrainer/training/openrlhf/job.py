"""The job: OpenRLHF's process on this machine, or a Ray job that `ray job submit` follows until it ends.

Both look the same from here: a process whose output is a log and whose exit status tells how it ended. It ends with
this process, however that ends (evotrainer/processes.py). A Ray job is stopped by `ray job stop`.
"""

import os
import re
import subprocess
import uuid
from collections.abc import Sequence
from pathlib import Path

from evotrainer.config import OpenRLHFConfig
from evotrainer.errors import TrainingError
from evotrainer.processes import keep

TRAINER = "openrlhf.cli.train_ppo_ray"
SOURCES = Path(__file__).resolve().parents[3]
"""Where this program's own packages lie."""
_RAY = "ray.scripts.scripts"
_MAX_ERROR_CHARS = 600
_ERROR = re.compile(r"^(?:.*?\s)?((?:[\w.]+\.)?\w*(?:Error|Exception|Interrupt)(?:\([\w.]+\))?: .*|AssertionError.*)$")
_STOP_SECONDS = 180.0


class Job:
    """A running job."""

    def __init__(self, engine: OpenRLHFConfig, arguments: Sequence[str], log: Path) -> None:
        self.log = log
        command, stop = job_command(engine, arguments, f"evotrainer-{uuid.uuid4().hex[:12]}")
        paths = [str(SOURCES), *filter(None, [os.environ.get("PYTHONPATH")])]
        environment = os.environ | {"PYTHONPATH": os.pathsep.join(paths), "PYTHONUNBUFFERED": "1"}
        with log.open("ab") as output:
            self._start = output.tell()
            self._process = keep(command, output, environment, stop)

    def ended(self) -> bool:
        """Tell whether it ended; raises TrainingError where it failed, its own last error first."""
        status = self._process.poll()
        if status:
            raise TrainingError(
                f"{last_error(self._said())} (OpenRLHF ended with status {status}; its log: {self.log}); the same "
                "command goes on from the last checkpoint"
            )
        return status is not None

    def stop(self) -> None:
        """Stop it and wait until it is gone."""
        assert self._process.stdin is not None
        self._process.stdin.close()
        try:
            self._process.wait(_STOP_SECONDS)
        except subprocess.TimeoutExpired:
            self._process.kill()
            raise TrainingError(f"the job does not stop: end it by hand, its log is {self.log}") from None

    def _said(self) -> str:
        with self.log.open("rb") as file:
            file.seek(self._start)
            return file.read().decode(errors="replace")


def job_command(engine: OpenRLHFConfig, arguments: Sequence[str], name: str) -> tuple[list[str], list[str]]:
    """Return the command that runs a job until it ends, and the one that stops it; none on this machine."""
    trainer = [engine.python, "-m", TRAINER, *arguments]
    if not engine.ray_address:
        return trainer, []
    ray = [engine.python, "-m", _RAY, "job"]
    submit = [*ray, "submit", "--address", engine.ray_address, "--submission-id", name, "--", *trainer]
    return submit, [*ray, "stop", "--address", engine.ray_address, name]


def last_error(text: str) -> str:
    """Return the last line of a log that names an error, else its last line."""
    lines = [line.strip() for line in re.split(r"[\r\n]+", text) if line.strip()]
    errors = [match.group(1) for line in lines if (match := _ERROR.match(line))]
    found = errors[-1] if errors else lines[-1] if lines else "it said nothing"
    return found[:_MAX_ERROR_CHARS]
