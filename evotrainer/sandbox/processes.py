"""Processes that end with the one they work for, however that ends.

`kill -9` of a flow leaves its children alive, and the kernel's parent-death signal does not pass through the shell
that DVC puts in between. A stage therefore watches its owner, named by pid and start (a pid alone may have been given
to another process meanwhile), by a clock that nobody sets. The flow names itself in EVOTRAINER_OWNER; without that, the
owner of a stage is its parent.

A program of another environment cannot watch by itself. `keep` starts it under a keeper, which is this file as a
program: its standard input is a pipe that the owner holds open, and the end of the pipe says that the owner is gone.
"""

import contextlib
import ctypes
import json
import os
import re
import select
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import IO

import psutil

OWNER_VARIABLE = "EVOTRAINER_OWNER"
WATCH_SECONDS = 0.5
_GRACE_SECONDS, _STOP_SECONDS = 10.0, 120.0
_STOPPED_STATUS = 143
_PR_SET_PDEATHSIG = 1
_MAX_ERROR_CHARS = 600
_ERROR = re.compile(r"^(?:.*?\s)?((?:[\w.]+\.)?\w*(?:Error|Exception|Interrupt)(?:\([\w.]+\))?: .*|AssertionError.*)$")
_NO_CAUSE = ("HTTP/1.1", "See root cause above")


def owner_token(process: psutil.Process | None = None) -> str:
    """Return `pid:start` of a process, by default this one."""
    process = process or psutil.Process()
    return f"{process.pid}:{_start_of(process)}"


def _start_of(process: psutil.Process) -> str:
    """Return the kernel's ticks from its own start to the process's, where it counts them; psutil's follow the date."""
    try:
        stat = Path(f"/proc/{process.pid}/stat").read_text(encoding="utf-8", errors="replace")
        return stat.rpartition(")")[2].split()[19]
    except OSError:  # no such kernel, or no such process, which psutil says
        return f"{process.create_time():.2f}"


def is_alive(token: str) -> bool:
    """Tell whether the process that a token names still runs; a zombie does not."""
    pid, _, started = token.partition(":")
    try:
        process = psutil.Process(int(pid))
        return process.status() != psutil.STATUS_ZOMBIE and _start_of(process) == started
    except psutil.NoSuchProcess:
        return False


def find_owner() -> str:
    """Return the token of this process's owner."""
    return os.environ.get(OWNER_VARIABLE) or owner_token(psutil.Process().parent())


def exit_with_owner() -> None:
    """Watch the owner from a thread and end this process, at once, when the owner is gone."""
    owner = find_owner()

    def watch() -> None:
        while is_alive(owner):
            time.sleep(WATCH_SECONDS)  # no descriptor tells of a process that is no child
        os._exit(1)

    threading.Thread(target=watch, name="owner-watch", daemon=True).start()


def keep(
    command: Sequence[str], log: IO[bytes], environment: Mapping[str, str], stop: Sequence[str] = ()
) -> subprocess.Popen[bytes]:
    """Start a command, in a process group that ends with this process; return its keeper, whose status is its own.

    Close the keeper's standard input to end the command. `stop` runs first, and also where the command fails: what
    follows a job on a cluster may lose sight of one that goes on.
    """
    return subprocess.Popen(
        [sys.executable, "-I", __file__, json.dumps(list(stop)), *command],
        stdin=subprocess.PIPE,
        stdout=log,
        stderr=subprocess.STDOUT,
        env=environment,
        start_new_session=True,
    )


def last_error(text: str) -> str:
    """Return the last line of a kept command's log that names an error, and its cause; else its last line."""
    lines = [line.strip() for line in re.split(r"[\r\n]+", text) if line.strip()]
    causes = [line for line in lines if not any(part in line for part in _NO_CAUSE)]
    errors = [match.group(1) for line in causes if (match := _ERROR.match(line))]
    found = errors[-1] if errors else lines[-1] if lines else "it said nothing"
    return found[:_MAX_ERROR_CHARS]


def _keeper(stop: list[str], command: list[str]) -> int:
    """Run `command` until it ends, the owner does, or this process is told to end."""
    ending, owner = threading.Event(), os.getppid()
    for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
        signal.signal(number, lambda *_: ending.set())
    child = subprocess.Popen(command, stdin=subprocess.DEVNULL, start_new_session=True, preexec_fn=_end_with_keeper)
    while child.poll() is None and not ending.is_set():
        readable, _, _ = select.select([0], [], [], WATCH_SECONDS)
        if os.getppid() != owner or (readable and not os.read(0, 1)):
            ending.set()
    status = child.poll()
    if stop and status != 0:
        with contextlib.suppress(OSError, subprocess.TimeoutExpired):
            subprocess.run(stop, check=False, timeout=_STOP_SECONDS)
    _end_group(child)
    return _STOPPED_STATUS if status is None else status


def _end_with_keeper() -> None:
    """Have the kernel end the command when its keeper is killed."""
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, signal.SIGTERM)


def _end_group(child: subprocess.Popen[bytes]) -> None:
    """End all processes of the command's group: politely, then at once. What it left behind ends with it."""
    for number in (signal.SIGTERM, signal.SIGKILL):
        try:
            os.killpg(child.pid, number)
        except ProcessLookupError:
            break
        until = time.monotonic() + _GRACE_SECONDS
        while time.monotonic() < until and (child.poll() is None or _has_members(child.pid)):
            time.sleep(0.05)  # members of the group are no children: their end can only be asked for
    child.wait()


def _has_members(group: int) -> bool:
    try:
        os.killpg(group, 0)
    except ProcessLookupError:
        return False
    return True


if __name__ == "__main__":
    sys.exit(_keeper(json.loads(sys.argv[1]), sys.argv[2:]))
