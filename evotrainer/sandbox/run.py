"""The parent's side of a sandbox: a zygote started, handed executions and ended; one execution fed, read and named.

Starting means `python -c` with an environment that holds nothing of the caller's: a fixed hash seed, so that the order
of a set is the same in every execution, one thread for numerical libraries, the import path. It is cleared inside.
"""

import array
import contextlib
import fcntl
import json
import os
import select
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from itertools import takewhile
from pathlib import Path
from typing import Any

from evotrainer.errors import SandboxError
from evotrainer.sandbox.landlock import remove_directory
from evotrainer.sandbox.namespaces import WORK, copy_standard_library, is_open_to_all, readable_paths, standard_library
from evotrainer.sandbox.program import Execution, Limits, Outcome, Program
from evotrainer.sandbox.values import parse_result

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

    def __init__(self, backend: str, needs: Mapping[str, Sequence[str]]) -> None:
        """Start it; raises BackendRefusedError when the kernel refuses the backend. `needs`: what Sandbox is given."""
        self._directory = Path(tempfile.mkdtemp(prefix="evotrainer-sandbox-")) if backend == "landlock" else None
        self.control, inner = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        try:
            config = self._config(backend, needs, inner.fileno())
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

    def _config(self, backend: str, needs: Mapping[str, Sequence[str]], descriptor: int) -> dict[str, Any]:
        user, library, work = _FIRST_USER + _next_number() % _NUM_USERS, standard_library(), WORK
        readable = readable_paths([*needs["import_paths"], *needs["readable_paths"]])
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
            **needs,
            "backend": backend,
            "control": descriptor,
            "parent": os.getpid(),
            "user": user,
            "work": work,
            "library": library,
            "readable": readable,
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
        """Wait until what the execution left behind is gone; where that fails or takes long, end the zygote."""
        self.control.settimeout(CLEAN_SECONDS)
        try:
            is_clean = self.receive().get("clean", False)
        except TimeoutError:
            is_clean = False
        self.control.settimeout(None)
        if not is_clean:
            self._process.kill()
            self.stop()

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
        """End the zygote and its execution, and remove its directory."""
        self.is_running = False
        self.control.close()
        try:
            self._process.wait(STOP_SECONDS)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
        if self._directory is not None:
            remove_directory(self._directory)


_numbers = iter(range(os.getpid() * 7, 2**62))
_number_lock = threading.Lock()


def _next_number() -> int:
    """Return a number that two sandboxes of one machine rarely share, so that each has a user of its own."""
    with _number_lock:
        return next(_numbers)


KILL_SECONDS = 10.0
"""How long a killed execution may take to end before the sandbox counts as failed."""

_ALL_SEALS = fcntl.F_SEAL_SEAL | fcntl.F_SEAL_SHRINK | fcntl.F_SEAL_GROW | fcntl.F_SEAL_WRITE
_SURE_SHARE = 0.5
"""The kernel enforces the limit by a coarser clock than it reports: a SIGKILL after this part of it is the limit's."""

_CHUNK_BYTES = 65536
_RESULT_HEAD_BYTES = 256


@dataclass
class _Pipes:
    """What the parent has read so far, by the descriptor it reads from, with the limit of each."""

    data: dict[int, bytearray]
    limits: dict[int, int]
    open: set[int] = field(default_factory=set)

    def read(self, descriptor: int) -> bool:
        """Read what is there; returns whether the limit is passed."""
        chunk = os.read(descriptor, _CHUNK_BYTES)
        if not chunk:
            self.open.discard(descriptor)
        self.data[descriptor] += chunk
        return len(self.data[descriptor]) > self.limits[descriptor]


def run_program(zygote: ZygoteProcess, program: Program, limits: Limits) -> Execution:
    """Run one program in a zygote; raises SandboxError, and ends the zygote, when the sandbox itself failed."""
    try:
        with contextlib.ExitStack() as stack:
            execution = _run(stack, zygote, program, limits)
        zygote.wait_until_clean()
    except BaseException:  # an interrupt too: an execution may still run in this zygote
        zygote.stop()
        raise
    return execution


def _run(stack: contextlib.ExitStack, zygote: ZygoteProcess, program: Program, limits: Limits) -> Execution:
    ends = [_pipe(stack) for _ in range(3)]
    reading = [end[0] for end in ends]
    bounds = [limits.output_bytes, limits.output_bytes, limits.output_bytes + _RESULT_HEAD_BYTES]
    pipes = _Pipes({end: bytearray() for end in reading}, dict(zip(reading, bounds, strict=True)), set(reading))
    with contextlib.ExitStack() as theirs:
        stdin = _memory_file(theirs, program.stdin.encode("utf-8", "surrogateescape"))
        request = _memory_file(theirs, _request(program))
        for _, end in ends:
            theirs.callback(os.close, end)
        start = time.monotonic()
        zygote.start_execution(limits, [stdin, *(end for _, end in ends), request])
    cut, answer = _follow(zygote, pipes, start + limits.wall_seconds)
    seconds = time.monotonic() - start
    stdout, stderr, result = (bytes(pipes.data[end]) for end in reading)
    num_calls = len(program.all_calls)
    is_ready, said = parse_result(result, num_calls + 1)
    if not is_ready:
        raise SandboxError(f"an execution could not be set up ({said[0].get('failed', 'no reason given')}); rerun")
    outcome = _outcome(cut, answer, said, num_calls, limits)
    return Execution(
        outcome=outcome,
        stdout=_text(stdout, limits),
        stderr=_text(stderr, limits),
        values=tuple(line["value"] for line in takewhile(lambda line: "value" in line, said[:num_calls])),
        ran_to_end=said[num_calls:] == [{"end": True}],
        seconds=seconds,
        cpu_seconds=answer["cpu_seconds"],
    )


def _follow(zygote: ZygoteProcess, pipes: _Pipes, deadline: float) -> tuple[Outcome | None, dict[str, Any]]:
    """Read until the zygote reports the end; returns why the parent cut it short, if it did, and the report."""
    cut: Outcome | None = None
    control = zygote.control.fileno()
    while control not in (ready := _wait({control, *pipes.open}, deadline)):
        is_over = max((pipes.read(descriptor) for descriptor in ready), default=False)
        if cut is not None and not ready:
            raise SandboxError(f"an execution did not end within {KILL_SECONDS:g} s of being killed; rerun")
        if cut is None and (is_over or not ready):
            cut, deadline = ("output_limit" if is_over else "timeout"), time.monotonic() + KILL_SECONDS
            zygote.kill_execution()
        pipes.open = {end for end in pipes.open if len(pipes.data[end]) <= pipes.limits[end]}
    answer = zygote.receive()
    if "status" not in answer:
        raise SandboxError("the sandbox's process ended during an execution, for lack of memory perhaps; rerun")
    is_over = max((_drain(pipes, descriptor) for descriptor in list(pipes.open)), default=False)
    return cut or ("output_limit" if is_over else None), answer


def _wait(descriptors: set[int], deadline: float) -> set[int]:
    """Return the descriptors that are readable or closed; none when the deadline passes."""
    poll = select.poll()
    for descriptor in descriptors:
        poll.register(descriptor, select.POLLIN)
    milliseconds = max(0.0, deadline - time.monotonic()) * 1000
    return {descriptor for descriptor, _ in poll.poll(milliseconds)}


def _drain(pipes: _Pipes, descriptor: int) -> bool:
    """Read what the ended execution left in a pipe; returns whether the limit is passed."""
    while descriptor in pipes.open:
        if pipes.read(descriptor):
            return True
    return False


def _outcome(
    cut: Outcome | None, answer: dict[str, Any], said: list[dict[str, Any]], num_calls: int, limits: Limits
) -> Outcome:
    code = os.waitstatus_to_exitcode(answer["status"])
    if cut is not None:
        return cut
    is_killed_for_time = -code == signal.SIGKILL and answer["cpu_seconds"] >= limits.cpu_seconds * _SURE_SHARE
    if is_killed_for_time or -code == signal.SIGXCPU or answer["cpu_seconds"] >= limits.cpu_seconds:
        return "timeout"
    if code < 0:
        return "killed"
    if code > 0:
        kinds: dict[Any, Outcome] = {"compile": "compile_error", "memory": "memory", "denied": "denied"}
        kind = next((line["error"] for line in said if "error" in line), None)
        return kinds.get(kind, "nonzero_exit") if isinstance(kind, str) else "nonzero_exit"
    answers = said[:num_calls]
    if any("not_json" in line for line in answers):
        return "not_json"
    return "ok" if sum("value" in line for line in answers) == num_calls else "no_result"


def _pipe(stack: contextlib.ExitStack) -> tuple[int, int]:
    """Return a pipe whose reading end closes with the stack."""
    ours, theirs = os.pipe()
    stack.callback(os.close, ours)
    return ours, theirs


def _memory_file(stack: contextlib.ExitStack, data: bytes) -> int:
    """Return a descriptor of an unnamed file in memory that holds the data and can no longer be changed."""
    descriptor = os.memfd_create("input", os.MFD_CLOEXEC | os.MFD_ALLOW_SEALING)
    stack.callback(os.close, descriptor)
    with open(descriptor, "wb", closefd=False) as file:
        file.write(data)
    os.lseek(descriptor, 0, os.SEEK_SET)
    fcntl.fcntl(descriptor, fcntl.F_ADD_SEALS, _ALL_SEALS)
    return descriptor


def _request(program: Program) -> bytes:
    """Return what the execution reads: never what it is expected to answer."""
    sent = {name: value for name, value in vars(program).items() if name not in ("stdin", "arguments")}
    return json.dumps({**sent, "calls": program.all_calls}).encode()


def _text(data: bytes, limits: Limits) -> str:
    return data[: limits.output_bytes].decode("utf-8", "replace")
