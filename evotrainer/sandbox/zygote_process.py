"""The parent's side of one zygote: start it, hand it executions, end it.

Starting means `python -c` with an environment that holds nothing of the caller's: a fixed hash seed, so that the order
of a set is the same in every execution, one thread for numerical libraries, the import path. It is cleared inside.
"""

import array
import contextlib
import json
import os
import shutil
import socket
import subprocess
import sys
import tempfile
import threading
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

from evotrainer.errors import SandboxError
from evotrainer.sandbox.landlock import empty_directory
from evotrainer.sandbox.namespaces import WORK, copy_standard_library, is_open_to_all, readable_paths, standard_library
from evotrainer.sandbox.program import Limits

START_SECONDS, STOP_SECONDS, CLEAN_SECONDS = 30.0, 10.0, 5.0
_CODE_ROOT = Path(__file__).parents[2]
_ENVIRONMENT = {"PYTHONHASHSEED": "0", "MALLOC_ARENA_MAX": "2", "OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1"}
_START = "import sys; sys.path.insert(0, sys.argv[1]); from evotrainer.sandbox.zygote import main; main(sys.argv[2])"

# system users that nothing owns files as; 61184 to 65519 is the range systemd keeps for such use
_FIRST_USER, _NUM_USERS = 61184, 4096


class BackendRefusedError(Exception):
    """The kernel refused a call that the backend needs; the message names it."""


class ZygoteProcess:
    """One running zygote; executions one after the other."""

    def __init__(
        self,
        backend: str,
        paths: tuple[Sequence[str], Sequence[str]],
        preload: Sequence[str],
        own_modules: Sequence[str] = (),
    ) -> None:
        """Start it; raises BackendRefusedError when the kernel refuses the backend.

        `paths`: directories to import from, and others that may be read.
        """
        self._directory = Path(tempfile.mkdtemp(prefix="evotrainer-sandbox-")) if backend == "landlock" else None
        self.control, inner = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        try:
            config = self._config(backend, paths, preload, inner.fileno()) | {"own_modules": list(own_modules)}
            self._process = subprocess.Popen(
                [sys.executable, "-s", "-S", "-B", "-P", "-c", _START, str(_CODE_ROOT), json.dumps(config)],
                pass_fds=[inner.fileno()],
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
                # first on the import path, so that no package is loaded from a library which a copy stands for
                env=_ENVIRONMENT | {"PYTHONPATH": os.pathsep.join(config["library"])},
                cwd="/",
                start_new_session=True,
            )
        finally:
            inner.close()
        self._wait_until_ready()
        self.is_running = True

    def _config(
        self, backend: str, paths: tuple[Sequence[str], Sequence[str]], preload: Sequence[str], descriptor: int
    ) -> dict[str, Any]:
        user, library, work = _FIRST_USER + _next_number() % _NUM_USERS, standard_library(), WORK
        import_paths, others = paths
        readable = readable_paths([*import_paths, *others])
        if self._directory is not None:
            work = str(self._directory / "work")
            Path(work).mkdir(mode=0o700)
            if os.geteuid() == 0:
                self._directory.chmod(0o711)
                os.chown(work, user, user)
                if not is_open_to_all(library[0]):
                    library = copy_standard_library(self._directory / "library")
            readable = [*readable, *library]
        return {
            "backend": backend,
            "control": descriptor,
            "parent": os.getpid(),
            "user": user,
            "work": work,
            "library": library,
            "readable": readable,
            "import_paths": list(import_paths),
            "preload": list(preload),
        }

    def _wait_until_ready(self) -> None:
        self.control.settimeout(START_SECONDS)
        try:
            answer = self.receive()
        except TimeoutError:
            answer = {"failed": f"it did not start within {START_SECONDS:g} s"}
        self.control.settimeout(None)
        if "ready" not in answer:
            self.stop()
            raise BackendRefusedError(answer.get("failed", "its process ended while it started"))

    def start_execution(self, limits: Limits, descriptors: Sequence[int]) -> None:
        """Hand over one execution: stdin, stdout, stderr, result and request."""
        self._send({"limits": asdict(limits)}, descriptors)

    def kill_execution(self) -> None:
        """Have the running execution killed; harmless when it has just ended."""
        self._send({"kill": True}, ())

    def wait_until_clean(self) -> None:
        """Wait until what the execution left behind is gone.

        A program can write for longer than a removal may take. Such a zygote serves no more, and ends when the removal
        is done; `stop` removes its directory then. The sandbox keeps few of these.
        """
        self.control.settimeout(CLEAN_SECONDS)
        try:
            is_clean = "clean" in self.receive()
        except TimeoutError:
            self.is_running = False
            self.control.close()
            return
        self.control.settimeout(None)
        if not is_clean:  # its process has ended
            self.stop()

    @property
    def has_ended(self) -> bool:
        """Whether its process is gone."""
        return self._process.poll() is not None

    def _send(self, message: dict[str, Any], descriptors: Sequence[int]) -> None:
        rights = [(socket.SOL_SOCKET, socket.SCM_RIGHTS, array.array("i", descriptors))] if descriptors else []
        try:
            self.control.sendmsg([json.dumps(message).encode()], rights)
        except OSError as error:
            raise SandboxError(f"the sandbox's process has ended ({error}); rerun") from error

    def receive(self) -> dict[str, Any]:
        """Return the zygote's next message; empty when it has ended."""
        with contextlib.suppress(ConnectionError):
            if data := self.control.recv(65536):
                return json.loads(data)
        return {}

    def stop(self) -> None:
        """End the zygote and its execution, and remove its directory.

        The zygote empties the work directory itself, with the rights of its user. What it left, because it was killed
        perhaps, is removed here.
        """
        self.is_running = False
        self.control.close()
        try:
            self._process.wait(STOP_SECONDS)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
        if self._directory is not None:
            with contextlib.suppress(
                OSError
            ):  # of a program that is dying and still writes: rmtree goes as far as it can
                empty_directory(self._directory / "work")
            shutil.rmtree(self._directory, ignore_errors=True)


_numbers = iter(range(os.getpid() * 7, 2**62))
_number_lock = threading.Lock()


def _next_number() -> int:
    """Return a number that two sandboxes of one machine rarely share, so that each has a user of its own."""
    with _number_lock:
        return next(_numbers)
