"""Processes end with the one they work for."""

import os
import signal
import subprocess
import sys

import psutil

from evotrainer.processes import OWNER_VARIABLE, is_alive, owner_token
from tests.integration.conftest import ROOT

SLEEPER = "import time; from evotrainer.processes import exit_with_owner; exit_with_owner(); time.sleep(300)"

BUSY = (
    "import ctypes; from evotrainer.processes import end_with_input; end_with_input(); "
    "print('busy', flush=True); ctypes.PyDLL(None).sleep(300)"
)
"""Holds the interpreter as an import of a large library does: no thread of it runs."""


def test_process_ends_when_its_owner_is_killed() -> None:
    owner = subprocess.Popen(["sleep", "300"])
    environment = {**os.environ, OWNER_VARIABLE: owner_token(psutil.Process(owner.pid))}
    sleeper = subprocess.Popen([sys.executable, "-c", SLEEPER], cwd=ROOT, env=environment)
    owner.kill()
    owner.wait()
    assert sleeper.wait(timeout=60) == 1


def test_pid_given_to_another_process_is_not_the_owner() -> None:
    pid, _, started = owner_token().partition(":")
    assert is_alive(f"{pid}:{started}")
    assert not is_alive(f"{pid}:{float(started) - 100:.2f}")


def test_process_that_holds_its_interpreter_ends_with_the_other_end_of_its_input() -> None:
    busy = subprocess.Popen([sys.executable, "-c", BUSY], cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    assert busy.stdin is not None and busy.stdout is not None
    with busy.stdout, busy.stdin:
        assert busy.stdout.readline() == b"busy\n"
        assert busy.poll() is None
        busy.stdin.close()
        assert busy.wait(timeout=60) == -signal.SIGIO


def test_server_watches_its_owner_before_it_imports_prefect() -> None:
    imported = "import sys, flows.serving.server_app; sys.exit('prefect' in sys.modules)"
    subprocess.run([sys.executable, "-c", imported], cwd=ROOT, check=True)
