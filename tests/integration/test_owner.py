"""Processes end with the one they work for."""

import os
import signal
import subprocess
import sys

import psutil

from tasks.running.parent_watch import OWNER_VARIABLE, is_alive, owner_token
from tests.integration.conftest import ROOT
from tests.waiting import wait_for

SLEEPER = [sys.executable, "-m", "tasks.running.parent_watch", "sleep", "300"]


def start_sleeper(owner: str) -> tuple[subprocess.Popen[bytes], psutil.Process]:
    keeper = subprocess.Popen(SLEEPER, cwd=ROOT, env={**os.environ, OWNER_VARIABLE: owner})
    wait_for(lambda: psutil.Process(keeper.pid).children())
    return keeper, psutil.Process(keeper.pid).children()[0]


def test_program_ends_when_its_keeper_is_told_to() -> None:
    keeper, sleeper = start_sleeper(owner_token())
    keeper.terminate()
    keeper.wait()
    assert not sleeper.is_running()


def test_program_ends_when_its_owner_is_killed() -> None:
    owner = subprocess.Popen(["sleep", "300"])
    keeper, sleeper = start_sleeper(owner_token(psutil.Process(owner.pid)))
    owner.send_signal(signal.SIGKILL)
    owner.wait()
    keeper.wait()
    wait_for(lambda: not sleeper.is_running())


def test_pid_given_to_another_process_is_not_the_owner() -> None:
    pid, _, started = owner_token().partition(":")
    assert is_alive(f"{pid}:{started}")
    assert not is_alive(f"{pid}:{float(started) - 100:.2f}")
