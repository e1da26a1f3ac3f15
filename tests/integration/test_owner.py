"""Processes end with the one they work for."""

import os
import subprocess
import sys

import psutil
import pytest

from evotrainer.sandbox.processes import OWNER_VARIABLE, is_alive, owner_token
from tests.integration.conftest import ROOT

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
