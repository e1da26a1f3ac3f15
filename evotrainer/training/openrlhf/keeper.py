"""Runs a job's command and ends it when its owner is gone: a training run must not go on without anyone to use it.

    python -m evotrainer.training.openrlhf.keeper OWNER_PID STOP_COMMAND_JSON COMMAND...

The command runs in a process group of its own. When the owner dies, or this process is told to end, the stop command
runs (it stops a job on a cluster), then the whole group is ended. It also runs where the command failed: what follows
a job on a cluster may lose sight of one that goes on. The exit status is the command's own.
"""

import contextlib
import ctypes
import json
import os
import signal
import subprocess
import sys
import threading
from types import FrameType

import psutil

WATCH_SECONDS = 0.5
GRACE_SECONDS = 10.0
STOP_SECONDS = 120.0
STOPPED_STATUS = 143
_IS_LINUX = sys.platform == "linux"
_PR_SET_PDEATHSIG = 1


def main(owner_pid: int, stop_command: list[str], command: list[str]) -> int:
    """Run `command` until it ends, the owner does, or SIGTERM comes."""
    ending = threading.Event()

    def end(_signal: int, _frame: FrameType | None) -> None:
        ending.set()

    signal.signal(signal.SIGTERM, end)
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # a terminal interrupts the owner too, which then tells us
    owner = _process(owner_pid)
    child = subprocess.Popen(
        command, start_new_session=True, stdin=subprocess.DEVNULL, preexec_fn=_end_with_parent if _IS_LINUX else None
    )
    while child.poll() is None:
        if ending.is_set() or owner is None or not owner.is_running() or owner.status() == psutil.STATUS_ZOMBIE:
            _stop(child, stop_command)
            return STOPPED_STATUS
        ending.wait(WATCH_SECONDS)
    if child.returncode:
        _run(stop_command)
    return child.returncode


def _end_with_parent() -> None:
    """Have the kernel end the command when this process is killed."""
    ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, signal.SIGTERM)


def _process(pid: int) -> psutil.Process | None:
    try:
        return psutil.Process(pid)
    except psutil.NoSuchProcess:
        return None


def _stop(child: subprocess.Popen[bytes], stop_command: list[str]) -> None:
    _run(stop_command)
    for number in (signal.SIGTERM, signal.SIGKILL):
        try:
            os.killpg(child.pid, number)
            child.wait(GRACE_SECONDS)
        except ProcessLookupError:
            return
        except subprocess.TimeoutExpired:
            continue


def _run(stop_command: list[str]) -> None:
    if stop_command:
        with contextlib.suppress(OSError, subprocess.TimeoutExpired):
            subprocess.run(stop_command, check=False, timeout=STOP_SECONDS)


if __name__ == "__main__":
    sys.exit(main(int(sys.argv[1]), json.loads(sys.argv[2]), sys.argv[3:]))
