"""The job: OpenRLHF's process on this machine, or a Ray job that `ray job submit` follows to its end; its checkpoints.

Both look the same from here: a process whose output is a log and whose exit status tells how it ended. It ends with
this process, however that ends (evotrainer/sandbox/processes.py). A Ray job is stopped by `ray job stop`.

OpenRLHF writes a Hugging Face directory a checkpoint beside DeepSpeed's state, and rotates only the latter. The last
file that it writes of one is the tokenizer's configuration, which tells a whole directory from one under way.

OpenRLHF, vLLM and this program cannot be installed side by side (their requirements exclude each other), so training
runs in an environment of its own, and `engine.openrlhf.python` names its interpreter.
"""

import os
import re
import shutil
import subprocess
import uuid
from collections.abc import Sequence
from pathlib import Path

from evotrainer.config import OpenRLHFConfig
from evotrainer.engines.checkpoint import WEIGHT_SUFFIXES, copy_without_weights, policy_hash
from evotrainer.errors import PolicyError
from evotrainer.sandbox.processes import keep, last_error

TRAINER = "openrlhf.cli.train_ppo_ray"
SOURCES = Path(__file__).resolve().parents[3]
"""Where this program's own packages lie."""
_RAY = "ray.scripts.scripts"
_STOP_SECONDS = 180.0
_NAME = re.compile(r"global_step(\d+)_hf")
_LAST_FILE = "tokenizer_config.json"
_STATE = "_actor"


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
        """Tell whether it ended; raises PolicyError where it failed, its own last error first."""
        status = self._process.poll()
        if status:
            raise PolicyError(
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
            raise PolicyError(f"the job does not stop: end it by hand, its log is {self.log}") from None

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


def whole_checkpoints(folder: Path) -> dict[int, Path]:
    """Return {number of steps: Hugging Face directory} of those that are whole."""
    found = {}
    for path in folder.glob("global_step*_hf"):
        match = _NAME.fullmatch(path.name)
        if match and is_whole(path):
            found[int(match.group(1))] = path
    return dict(sorted(found.items()))


def is_whole(path: Path) -> bool:
    """Tell whether a Hugging Face directory has all its files, and weights that nobody took home."""
    return (path / _LAST_FILE).is_file() and bool(_weights(path))


def keep_last(folder: Path) -> None:
    """Remove all whole Hugging Face directories but the last."""
    for path in list(whole_checkpoints(folder).values())[:-1]:
        shutil.rmtree(path)


def resumed_step(folder: Path) -> int:
    """Return the number of steps that DeepSpeed's last state has taken, from which a job goes on; 0 without one."""
    latest = folder / _STATE / "latest"
    match = re.fullmatch(r"global_step(\d+)", latest.read_text().strip()) if latest.is_file() else None
    return int(match.group(1)) if match else 0


def take_model(source: Path, init_path: Path, out: Path) -> str:
    """Move the weights at `source` into `out`, all else taken from `init_path`; return the policy's hash.

    The tokenizer and the chat template stay what they were, byte for byte; weights are moved, never copied.

    Raises:
        PolicyError: there are no weights.

    """
    weights = _weights(source)
    if not weights:
        raise PolicyError(f"OpenRLHF ended, but {source} holds no weights: look into its log beside that folder")
    copy_without_weights(init_path, out)
    for path in weights:
        shutil.move(path, out / path.name)
    return policy_hash(out)


def _weights(path: Path) -> list[Path]:
    return [file for file in sorted(path.glob("*")) if file.name.endswith(WEIGHT_SUFFIXES)]


VERSION = "0.11.2"
"""The release whose command line and agent function are known here; others differ."""
_PROBE = "import importlib.metadata; print(importlib.metadata.version('openrlhf'))"
_INSTALL = f"python3.12 -m venv ENV && ENV/bin/pip install 'openrlhf[vllm]=={VERSION}'"
_PROBE_SECONDS = 60.0


def missing(engine: OpenRLHFConfig) -> list[str]:
    """Return what a job would lack, with its remedy: an interpreter with this release of OpenRLHF."""
    if not engine.python:
        return [f"engine.openrlhf.python names no interpreter: install with {_INSTALL} and set it to ENV/bin/python"]
    command = [engine.python, "-c", _PROBE]
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=_PROBE_SECONDS, cwd="/")
    except (OSError, subprocess.SubprocessError) as error:
        reason = error.strerror if isinstance(error, OSError) else type(error).__name__
        return [
            f"engine.openrlhf.python={engine.python!r} is no interpreter that runs here ({reason}): set it to "
            f"ENV/bin/python of an environment made with {_INSTALL}"
        ]
    found = done.stdout.strip()
    has = f"openrlhf {found}" if found else "no openrlhf"
    wanted = f"this program knows {VERSION}: ENV/bin/pip install 'openrlhf[vllm]=={VERSION}'"
    return [] if found == VERSION else [f"{engine.python} has {has}, {wanted}"]
