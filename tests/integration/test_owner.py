"""Processes end with the one they work for."""

import os
import subprocess
import sys

import psutil

from tasks.running.parent_watch import OWNER_VARIABLE, is_alive, owner_token
from tests.integration.conftest import ROOT

SLEEPER = "import time; from tasks.running.parent_watch import exit_with_owner; exit_with_owner(); time.sleep(300)"

IMPORTER = """
import os, threading, time
from tasks.running.parent_watch import OWNER_VARIABLE, exiting_with
owner = os.environ[OWNER_VARIABLE]
with exiting_with(owner):
    pass
assert threading.active_count() == 1, "a fork copies no thread"
print("alone", flush=True)
with exiting_with(owner):
    time.sleep(300)
"""


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


def test_process_that_is_busy_importing_ends_with_its_owner() -> None:
    owner = subprocess.Popen(["sleep", "300"])
    environment = {**os.environ, OWNER_VARIABLE: owner_token(psutil.Process(owner.pid))}
    importer = subprocess.Popen([sys.executable, "-c", IMPORTER], cwd=ROOT, env=environment, stdout=subprocess.PIPE)
    assert importer.stdout is not None and importer.stdout.readline() == b"alone\n"
    owner.kill()
    owner.wait()
    with importer.stdout:
        assert importer.wait(timeout=60) == 1


def test_server_watches_its_owner_before_it_imports_prefect() -> None:
    imported = "import sys, flows.serving.server_app; sys.exit('prefect' in sys.modules)"
    subprocess.run([sys.executable, "-c", imported], cwd=ROOT, check=True)
