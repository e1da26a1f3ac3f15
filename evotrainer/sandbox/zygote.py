"""The process that waits inside a sandbox and forks one child per execution: `main` is where it starts.

Why a zygote: an interpreter starts in 13 ms, a fork of a warm one in under 1 ms. It never reads what it runs: the
descriptors of an execution go from the parent through here into the child, so no program's text or input stays in the
memory that the next one is forked from. It talks JSON over one socket that keeps message borders:

    -> {"limits": {...}} with descriptors (stdin, stdout, stderr, result, request)      <- {"status", "cpu_seconds"}
    -> {"kill": true} at any time

It ends with its parent: the socket closes, or the parent's pidfd becomes readable, whichever is first; then the
execution ends with it, since each child asks to die with its parent.
"""

import contextlib
import gc
import importlib
import json
import os
import select
import signal
import site
import socket
import sys
from pathlib import Path
from typing import Any, NoReturn

from evotrainer.sandbox import kernel, landlock, namespaces
from evotrainer.sandbox.execution import MAX_DESCRIPTORS, execute
from evotrainer.sandbox.landlock import empty_directory
from evotrainer.sandbox.namespaces import DEVICES
from evotrainer.sandbox.program import load_modules, module_codes

MAX_MESSAGE_BYTES = 65536


class ParentEnded(Exception):  # noqa: N818 - the regular end of a zygote, no error
    """The parent has closed the socket or is gone."""


class Parent:
    """The socket to the parent and its life."""

    def __init__(self, control: socket.socket, process: int) -> None:
        self.control, self.process = control, process

    def send(self, message: dict[str, Any]) -> None:
        """Send one message."""
        self.control.send(json.dumps(message).encode())

    def wait(self, *others: int) -> set[int]:
        """Return which of the socket and the other descriptors are readable; raises ParentEnded."""
        poll = select.poll()
        for descriptor in (self.control.fileno(), self.process, *others):
            poll.register(descriptor, select.POLLIN)
        ready = {descriptor for descriptor, _ in poll.poll()}
        if self.process in ready:
            raise ParentEnded
        return ready

    def receive(self) -> tuple[dict[str, Any], list[int]]:
        """Return the next message and its descriptors; raises ParentEnded when the socket is closed."""
        data, descriptors, _, _ = socket.recv_fds(self.control, MAX_MESSAGE_BYTES, MAX_DESCRIPTORS)
        if not data:
            raise ParentEnded
        return json.loads(data), descriptors


def main(config_text: str) -> NoReturn:
    """Enter the sandbox described by the config, report it, and serve until the parent ends."""
    config = json.loads(config_text)
    control = socket.socket(fileno=config["control"])
    parent = Parent(control, os.pidfd_open(config["parent"]))
    if os.getppid() != config["parent"]:
        os._exit(0)
    try:
        own_codes = module_codes(config["own_modules"])  # while they can still be read
        _enter(config)
        _prepare(config)
        load_modules(own_codes)
        gc.collect()
        gc.freeze()
    except Exception as error:  # whatever the reason, report it to the parent, which waits
        parent.send({"failed": f"{error}" if isinstance(error, OSError) else f"{type(error).__name__}: {error}"})
        os._exit(1)
    parent.send({"ready": True})
    with contextlib.suppress(ParentEnded):
        while True:
            _serve(parent, config["backend"], config["work"], os.getuid() == config["user"])
    if config["backend"] == "landlock":
        empty_directory(Path(config["work"]))
    os._exit(0)


def _enter(config: dict[str, Any]) -> None:
    with contextlib.suppress(OSError):  # the first to go when the machine runs out of memory
        Path("/proc/self/oom_score_adj").write_text("1000")
    if config["backend"] == "namespaces":
        namespaces.enter(config["user"], config["readable"])
        _continue_as_process_one()
    else:
        if os.geteuid() == 0:
            _become(config["user"])
        landlock.restrict(config["readable"], [config["work"]], DEVICES)
    # a change of user resets both, so they come after it
    kernel.die_with_parent()
    kernel.prctl(kernel.PR_SET_CHILD_SUBREAPER, 1)
    kernel.prctl(kernel.PR_SET_DUMPABLE, 0)
    kernel.prctl(kernel.PR_SET_NO_NEW_PRIVS, 1)


def _continue_as_process_one() -> None:
    """Fork; the child goes on as process 1 of the new namespace, this process only waits for it."""
    pid = os.fork()
    if pid == 0:
        return
    kernel.set_capabilities(0)
    os.closerange(3, 1024)
    os.waitpid(pid, 0)
    os._exit(0)


def _become(user: int) -> None:
    os.setgroups([])
    os.setresgid(user, user, user)
    os.setresuid(user, user, user)


def _prepare(config: dict[str, Any]) -> None:
    """Import what programs often need, so that each execution finds it loaded, and clear arguments and environment."""
    sys.path[:] = [config["work"], *config["library"], *config["import_paths"]]
    os.chdir("/" if config["backend"] == "namespaces" else config["work"])
    for name in config["preload"]:
        importlib.import_module(name)
    site.setquit()  # exit() and quit(), which programs take for part of the language; the rest of site is left out
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    sys.argv[:] = ["program.py"]
    os.environ.clear()


def _serve(parent: Parent, backend: str, work: str, is_own_user: bool) -> None:
    parent.wait()
    message, descriptors = parent.receive()
    if "limits" not in message:  # a kill that crossed the end of its execution
        return
    limits = message["limits"]
    if backend == "namespaces":
        namespaces.mount_work(limits["file_bytes"])
    zygote = os.getpid()
    pid = os.fork()
    if pid == 0:
        execute(descriptors, limits, backend, work, zygote, is_own_user)
    for descriptor in descriptors:
        os.close(descriptor)
    status, cpu_seconds = _watch(parent, pid)
    parent.send({"status": status, "cpu_seconds": cpu_seconds})
    if backend == "namespaces":
        namespaces.unmount_work()
    parent.send({"clean": backend == "namespaces" or empty_directory(Path(work))})


def _watch(parent: Parent, pid: int) -> tuple[int, float]:
    """Wait for the execution, and kill it on request; returns its wait status and its seconds of processor time."""
    process = os.pidfd_open(pid)
    try:
        while process not in (ready := parent.wait(process)):
            if parent.control.fileno() in ready and "kill" in parent.receive()[0]:
                _end(pid)
    except ParentEnded:
        _end(pid)
        os.waitpid(pid, 0)
        raise
    os.close(process)
    _end(pid)
    _, status, usage = os.wait4(pid, 0)
    return status, usage.ru_utime + usage.ru_stime + _reap()


def _end(pid: int) -> None:
    """Kill an execution that is not yet waited for, and what it started: its group, once it has made one."""
    for kill in (os.kill, os.killpg):
        with contextlib.suppress(ProcessLookupError):
            kill(pid, signal.SIGKILL)


def _reap() -> float:
    """Wait for the programs that an execution started and left, killed by now; return their processor time.

    They have become children of this process, which is process 1 or has asked for them.
    """
    cpu_seconds = 0.0
    with contextlib.suppress(ChildProcessError):
        while True:
            usage = os.wait4(-1, 0)[2]
            cpu_seconds += usage.ru_utime + usage.ru_stime
    return cpu_seconds
