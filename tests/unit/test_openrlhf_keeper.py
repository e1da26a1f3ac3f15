"""A job ends with its owner, with its keeper, and when it is told to; its exit status is its own."""

import json
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import psutil
import pytest

from evotrainer.training.openrlhf.job import SOURCES, last_error

pytestmark = pytest.mark.parts

KEEPER = "evotrainer.training.openrlhf.keeper"


def start(owner: int, command: list[str], stopped: Path) -> subprocess.Popen[bytes]:
    stop = json.dumps(["touch", str(stopped)])
    return subprocess.Popen([sys.executable, "-m", KEEPER, str(owner), stop, *command], cwd=SOURCES)


def wait_for(holds: Callable[[], object]) -> None:
    end = time.monotonic() + 60
    while not holds():
        assert time.monotonic() < end
        time.sleep(0.05)


def job_of(keeper: subprocess.Popen[bytes]) -> psutil.Process:
    wait_for(lambda: psutil.Process(keeper.pid).children())
    return psutil.Process(keeper.pid).children()[0]


@pytest.mark.parametrize("status", [0, 3])
def test_the_exit_status_is_the_jobs_own_and_a_failed_one_is_stopped_on_its_cluster(tmp_path: Path, status: int):
    owner = subprocess.Popen(["sleep", "60"])
    keeper = start(owner.pid, ["sh", "-c", f"exit {status}"], tmp_path / "stopped")
    assert keeper.wait(60) == status
    assert (tmp_path / "stopped").exists() == bool(status)
    owner.kill()


@pytest.mark.parametrize("end", ["the owner dies", "it is told to end", "the keeper is killed"])
def test_a_job_does_not_outlive_those_who_want_it(tmp_path: Path, end: str):
    owner = subprocess.Popen(["sleep", "60"])
    keeper = start(owner.pid, ["sleep", "61"], tmp_path / "stopped")
    job = job_of(keeper)
    wait_for(lambda: job.name() == "sleep")
    if end == "the owner dies":
        owner.kill()
        owner.wait()
    else:
        keeper.send_signal(signal.SIGTERM if end == "it is told to end" else signal.SIGKILL)
    keeper.wait(60)
    wait_for(lambda: not job.is_running() or job.status() == psutil.STATUS_ZOMBIE)
    assert (tmp_path / "stopped").exists() == (end != "the keeper is killed")
    owner.kill()


@pytest.mark.parametrize(
    ("log", "found"),
    [
        ("a\nray.exceptions.RayTaskError(ValueError): no\nmore\n", "ray.exceptions.RayTaskError(ValueError): no"),
        ("Epoch 1\rEpoch 2\nAssertionError: group_norm requires n_samples_per_prompt > 1\n", "AssertionError: group"),
        ("(pid=7) torch.OutOfMemoryError: CUDA out of memory\nexit\n", "torch.OutOfMemoryError: CUDA"),
        ("Killed\n", "Killed"),
        ("", "it said nothing"),
    ],
)
def test_the_last_error_of_a_log_is_found(log: str, found: str):
    assert last_error(log).startswith(found)
