"""A process that has imported what stages import, and forks for each stage: a start costs milliseconds.

    python -m tasks.running.warm_stages LISTENER          LISTENER: file descriptor of a socket that listens

stage.sh hands its stage to warm_client.py, which connects, sends one request with its three streams, and ends as the
stage ends. A stage in a fork computes what a stage in a process of its own computes; one started by hand, with no such
process around, is one of its own.

What is imported once: the module of each stage that was asked for, and those modules of LIBRARIES that the last stages
imported later. Plugins are not among them, because a campaign revises them. When a file of the campaign's code has
changed, this process refuses, starts itself anew, and the refused stage starts by itself.
"""

import gc
import importlib
import json
import os
import selectors
import signal
import socket
import sys
import threading
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from evotrainer.processes import WATCH_SECONDS, end_with_input, find_owner, is_alive
from evotrainer.sandbox import kernel
from tasks.__main__ import ROOT, assert_code_is_own, main

LIBRARIES = {"duckdb", "llvmlite", "numba", "numpy", "pandas", "pyarrow", "scipy"}
TORCH = {"torch", "transformers"}
"""Not imported where a GPU's driver is: a process that has touched it must not fork."""
OWN = {"conf", "evotrainer", "tasks"}
GPU_DRIVER = Path("/dev/nvidiactl")
REFUSED = b"refused\n"
_OWN_FOLDER = f"{ROOT}{os.sep}"


@dataclass(frozen=True)
class Fork:
    """A running stage and the client that waits for it."""

    pid: int
    client: socket.socket
    learned: int
    """Read end of a pipe: names of modules, a line each, that the stage imported."""


class WarmStages:
    """The loop: accept, import, fork, tell the client how the stage ended."""

    def __init__(self, listener: socket.socket, owner: str):
        self.listener, self.owner = listener, owner
        self.libraries = OWN | LIBRARIES | (set() if GPU_DRIVER.exists() else TORCH)
        self.selector = selectors.DefaultSelector()
        self.selector.register(listener, selectors.EVENT_READ, self._accept)
        self.files = _own_files()
        self.num_running = 0

    def serve(self) -> None:
        """Serve until the owner is gone."""
        while is_alive(self.owner):
            for key, _ in self.selector.select(WATCH_SECONDS):
                key.data()

    def _accept(self) -> None:
        client, _ = self.listener.accept()
        request, streams = receive(client)
        if _own_files(self.files) != self.files or threading.active_count() > 1:
            client.sendall(REFUSED)
            for descriptor in streams:
                os.close(descriptor)
            client.close()
            self._start_anew()
            return
        self._import([f"tasks.{request['arguments'][0]}.stage"])
        self.files = _own_files() | self.files
        learned, told = os.pipe()
        gc.freeze()  # a collection in the fork would walk all that is imported, and copy the pages that it lies on
        pid = os.fork()
        if pid == 0:
            self._run(request, streams, told)
        for descriptor in (*streams, told):
            os.close(descriptor)
        self.num_running += 1
        client.sendall(b"started\n")
        fork, end = Fork(pid, client, learned), os.pidfd_open(pid)
        self.selector.register(client, selectors.EVENT_READ, lambda: self._client_left(fork))
        self.selector.register(end, selectors.EVENT_READ, lambda: self._ended(fork, end))

    def _start_anew(self) -> None:
        """Become a process with the changed code, unless stages still run in forks of this one."""
        if self.num_running == 0:
            os.set_inheritable(self.listener.fileno(), True)
            os.execv(sys.executable, [sys.executable, "-m", "tasks.running.warm_stages", str(self.listener.fileno())])

    def _client_left(self, fork: Fork) -> None:
        """End a stage whose client was ended; the stage's end is then told to nobody."""
        self.selector.unregister(fork.client)
        with suppress(ProcessLookupError):
            os.killpg(fork.pid, signal.SIGTERM)

    def _ended(self, fork: Fork, end: int) -> None:
        self.selector.unregister(end)
        with suppress(KeyError):
            self.selector.unregister(fork.client)
        _, status = os.waitpid(fork.pid, 0)
        self.num_running -= 1
        with suppress(BrokenPipeError):
            fork.client.sendall(b"%d\n" % os.waitstatus_to_exitcode(status))
        fork.client.close()
        with os.fdopen(fork.learned) as lines:
            self._import(lines.read().split())
        self.files = _own_files() | self.files
        os.close(end)

    def _import(self, modules: list[str]) -> None:
        for module in modules:
            with suppress(Exception):  # the stage that needs it will tell what is wrong with it
                importlib.import_module(module)

    def _run(self, request: dict[str, Any], streams: list[int], told: int) -> None:
        """Be the stage; never returns."""
        status = 1
        try:
            os.setsid()
            kernel.prctl(kernel.PR_SET_PDEATHSIG, signal.SIGKILL)
            for target, descriptor in enumerate(streams):
                os.dup2(descriptor, target)
                os.close(descriptor)
            self.listener.close()
            self.selector.close()
            os.chdir(request["folder"])
            os.environ.clear()
            os.environ.update(request["environment"])
            gc.enable()
            known = set(sys.modules)
            status = main(request["arguments"])
            later = [name for name in sys.modules if name not in known and name.partition(".")[0] in self.libraries]
            os.write(told, "\n".join(later).encode()[: 1 << 15])
        finally:
            sys.stdout.flush()
            sys.stderr.flush()
            os._exit(status)


def receive(client: socket.socket) -> tuple[dict[str, Any], list[int]]:
    """Return a client's request and the three streams that it sent along."""
    first, streams, _, _ = socket.recv_fds(client, 1 << 16, 3)
    head, _, body = first.partition(b"\n")
    while len(body) < int(head):
        body += client.recv(1 << 16)
    return json.loads(body), streams


def _own_files(names: dict[str, tuple[int, int]] | None = None) -> dict[str, tuple[int, int]]:
    """Return when each imported file of the campaign's code was written, and its size; (0, 0) for one that is gone."""
    if names is None:
        files = [getattr(module, "__file__", None) for module in list(sys.modules.values())]
        names = {name: (0, 0) for name in files if name and name.startswith(_OWN_FOLDER)}
    found = {}
    for name in names:
        with suppress(FileNotFoundError):
            state = Path(name).stat()
            found[name] = (state.st_mtime_ns, state.st_size)
    return {**dict.fromkeys(names, (0, 0)), **found}


if __name__ == "__main__":
    gc.disable()  # imports leave no garbage
    end_with_input()
    assert_code_is_own()
    WarmStages(socket.socket(fileno=int(sys.argv[1])), find_owner()).serve()
