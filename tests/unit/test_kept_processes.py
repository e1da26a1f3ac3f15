"""A kept command ends with its owner, with its keeper, and when it is told to; its exit status is its own."""

import json
import os
import signal
import subprocess
import sys
from pathlib import Path

import psutil
import pytest

from evotrainer.sandbox.processes import OWNER_VARIABLE, is_alive, last_error, owner_token
from tests.waiting import wait_for

pytestmark = pytest.mark.parts


ROOT = Path(__file__).resolve().parents[2]

OWNER = """
import json, os, sys
from evotrainer.sandbox.processes import keep
kept = keep(json.loads(sys.argv[1]), open(os.devnull, "wb"), dict(os.environ), json.loads(sys.argv[2]))
print(kept.pid, flush=True)
sys.stdin.read()
kept.stdin.close()
sys.exit(kept.wait())
"""


def start(command: list[str], stopped: Path) -> tuple[subprocess.Popen[str], psutil.Process]:
    """Return an owner that keeps a command, and the keeper; the owner lets it go when its own input ends."""
    words = [sys.executable, "-c", OWNER, json.dumps(command), json.dumps(["touch", str(stopped)])]
    owner = subprocess.Popen(words, cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    assert owner.stdout is not None
    return owner, psutil.Process(int(owner.stdout.readline()))


@pytest.mark.parametrize("status", [0, 3])
def test_the_exit_status_is_the_commands_own_and_a_failed_one_is_stopped_on_its_cluster(tmp_path: Path, status: int):
    owner, keeper = start(["sh", "-c", f"exit {status}"], tmp_path / "stopped")
    wait_for(lambda: keeper.status() == psutil.STATUS_ZOMBIE)
    owner.communicate()
    assert owner.returncode == status
    assert (tmp_path / "stopped").exists() == bool(status)


@pytest.mark.parametrize("end", ["the owner dies", "it is let go", "it is told to end", "the keeper is killed"])
def test_a_command_does_not_outlive_those_who_want_it(tmp_path: Path, end: str):
    owner, keeper = start(["sh", "-c", "sleep 61 & sleep 61"], tmp_path / "stopped")
    wait_for(lambda: len(keeper.children(recursive=True)) == 3)
    command, *children = keeper.children(recursive=True)
    if end == "the owner dies":
        owner.kill()
    elif end != "it is let go":
        keeper.send_signal(signal.SIGTERM if end == "it is told to end" else signal.SIGKILL)
    else:
        owner.communicate()
    wait_for(lambda: not command.is_running() or command.status() == psutil.STATUS_ZOMBIE)
    owner.kill()
    owner.wait()
    if end == "the keeper is killed":
        for child in children:
            child.kill()
    else:
        assert (tmp_path / "stopped").exists() and not psutil.wait_procs(children, timeout=20)[1]


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


SLEEPER = "import time; from evotrainer.sandbox.processes import exit_with_owner; exit_with_owner(); time.sleep(300)"


def test_process_ends_when_its_owner_is_killed() -> None:
    owner = subprocess.Popen(["sleep", "300"])
    environment = {**os.environ, OWNER_VARIABLE: owner_token(psutil.Process(owner.pid))}
    sleeper = subprocess.Popen([sys.executable, "-c", SLEEPER], cwd=ROOT, env=environment)
    owner.kill()
    owner.wait()
    assert sleeper.wait(timeout=60) == 1


def test_pid_given_to_another_process_is_not_the_owner_and_a_clock_that_is_set_back_makes_none(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    pid, _, started = owner_token().partition(":")
    hour_ago = psutil.boot_time() - 3600
    monkeypatch.setattr(psutil._psplatform, "boot_time", lambda: hour_ago)
    assert is_alive(f"{pid}:{started}")
    assert not is_alive(f"{pid}:{float(started) - 100:.2f}")
