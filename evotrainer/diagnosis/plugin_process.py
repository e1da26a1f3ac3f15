"""Runs diagnostics in a forked child process, one after the other, each under limits of time and memory.

Modules of a person's own are trusted but may have mistakes. One that loops, waits, exhausts memory or crashes ends its
child, and the next ones run in a new child. A child writes no file (Linux 5.19 or newer), opens no socket and starts no
process. Its output goes to stderr, so that it never mixes with the program's.

This stops mistakes, not attacks: the harness itself imports the module, and the child sees all memory of the harness.
"""

import json
import math
import os
import resource
import select
import signal
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import NoReturn, TypeVar

from evotrainer.diagnosis.context import Diagnosis
from evotrainer.records import Finding
from evotrainer.sandbox import kernel, landlock
from evotrainer.sandbox.namespaces import DEVICES, readable_paths
from evotrainer.sandbox.seccomp import install_filter

MAX_BYTES = 4 * 1024**2
"""Most bytes of one diagnosis as JSON."""
_WALL_FACTOR = 4.0
"""Wall-clock limit as a multiple of the limit of processor time."""
_CHUNK_BYTES = 65536
T = TypeVar("T")


@dataclass(frozen=True)
class DiagnosticLimits:
    """What one diagnostic may take on one set of evidence."""

    seconds: float
    megabytes: int


@dataclass(frozen=True)
class Answer:
    """What a diagnostic returned, or why it failed."""

    diagnosis: Diagnosis = Diagnosis()
    failure: str = ""
    seconds: float = 0.0


def run_in_child(
    diagnostics: Mapping[str, Callable[[], Diagnosis]], limits: DiagnosticLimits, readable: Sequence[str] = ("/",)
) -> dict[str, Answer]:
    """Return the answer of each diagnostic, by name and in order; a failing one never raises here.

    Files outside the folders `readable` are closed to the children.
    """
    answers: dict[str, Answer] = {}
    while waiting := {name: diagnostics[name] for name in diagnostics if name not in answers}:
        answers |= _run_child(waiting, limits, readable)
    return answers


def program_folders() -> list[str]:
    """Return the folders of Python, its packages, the system's libraries and this program: no rows lie there."""
    packages = [path for path in sys.path if Path(path).name in ("site-packages", "dist-packages")]
    program = Path(__file__).resolve().parents[1]
    return readable_paths([sys.prefix, sys.base_prefix, *packages, str(program)])


def run_closed(work: Callable[[], T], readable: Sequence[str]) -> T:
    """Return what `work` returns in a thread of this process that can open no file outside the folders `readable`.

    Landlock confines the thread that asks for it; it ends with the work. Raises what the work raises.
    """

    def confined() -> T:
        with suppress(OSError):  # an older kernel: files stay as they are open to this user
            landlock.restrict(readable, [], DEVICES)
        return work()

    with ThreadPoolExecutor(max_workers=1) as thread:
        return thread.submit(confined).result()


def run_in_process(diagnostics: Mapping[str, Callable[[], Diagnosis]]) -> dict[str, Answer]:
    """Return what each diagnostic answers in this process, by name and in order: without a bound, and without a fork.

    One that raises, exits, or answers too much fails all the same.
    """
    return {name: _parse(_answer(diagnose, "ran out of memory")) for name, diagnose in diagnostics.items()}


def _run_child(
    diagnostics: Mapping[str, Callable[[], Diagnosis]], limits: DiagnosticLimits, readable: Sequence[str]
) -> dict[str, Answer]:
    """Return the answers up to the first diagnostic that ended the child, that one's failure among them."""
    reading, writing = os.pipe()
    pid = os.fork()
    if pid == 0:
        os.close(reading)
        _serve(diagnostics, limits, readable, writing)
    os.close(writing)
    try:
        answers, is_late = _read_answers(reading, len(diagnostics), limits)
    finally:
        os.close(reading)
        os.kill(pid, signal.SIGKILL)  # without effect where it has ended already
        status = os.waitpid(pid, 0)[1]
    named = dict(zip(diagnostics, answers, strict=False))
    if len(named) == len(diagnostics):
        return named
    failure = f"took more than {limits.seconds * _WALL_FACTOR:g} s" if is_late else _end(status, limits)
    return named | {list(diagnostics)[len(named)]: Answer(failure=failure)}


def _read_answers(reading: int, count: int, limits: DiagnosticLimits) -> tuple[list[Answer], bool]:
    """Return the answers that came, and whether the next one came too late; the child had ended where it did not."""
    answers: list[Answer] = []
    poll, held = select.poll(), bytearray()
    poll.register(reading, select.POLLIN)
    while len(answers) < count:
        deadline = time.monotonic() + limits.seconds * _WALL_FACTOR
        while b"\n" not in held:
            if not poll.poll(max(0.0, deadline - time.monotonic()) * 1000):
                return answers, True
            chunk = os.read(reading, _CHUNK_BYTES)
            if not chunk:
                return answers, False
            held += chunk
        line, _, held = held.partition(b"\n")
        answers.append(_parse(bytes(line)))
    return answers, False


def _end(status: int, limits: DiagnosticLimits) -> str:
    code = os.waitstatus_to_exitcode(status)
    if code == -signal.SIGXCPU:
        return f"took more than {limits.seconds:g} s of processor time"
    return f"ended its process by {signal.Signals(-code).name}" if code < 0 else "ended its process"


def _parse(line: bytes) -> Answer:
    values = json.loads(line)
    findings = [Finding.model_validate(finding) for finding in values["findings"]]
    return Answer(Diagnosis(values["metrics"], findings), values["failure"], values["seconds"])


def _serve(
    diagnostics: Mapping[str, Callable[[], Diagnosis]], limits: DiagnosticLimits, readable: Sequence[str], writing: int
) -> NoReturn:
    """Answer for each diagnostic in turn, one line each; never returns, whatever one of them does."""
    try:
        os.dup2(2, 1)
        sys.stdout = sys.stderr
        _confine(limits, readable)
        for diagnose in diagnostics.values():
            _allow_seconds(limits.seconds)
            line = _answer(diagnose, f"needs more than {limits.megabytes} MB")
            while line:
                line = line[os.write(writing, line) :]
    finally:
        os._exit(0)


def _answer(diagnose: Callable[[], Diagnosis], no_memory: str) -> bytes:
    started = time.perf_counter()
    diagnosis, failure = Diagnosis(), ""
    try:
        diagnosis = diagnose()
        line = _line(diagnosis, "", started)
        if len(line) <= MAX_BYTES:
            return line
        failure = f"returned more than {MAX_BYTES >> 20} MB"
    except MemoryError:
        failure = no_memory
    except (Exception, SystemExit) as error:  # a module may raise anything; the others must still run
        failure = f"{type(error).__name__}: {error}"
    return _line(Diagnosis(), failure.encode("utf-8", "replace").decode()[:_CHUNK_BYTES], started)


def _line(diagnosis: Diagnosis, failure: str, started: float) -> bytes:
    answer = {
        "metrics": {name: float(value) for name, value in diagnosis.metrics.items()},
        "findings": [finding.model_dump(mode="json") for finding in diagnosis.findings],
        "failure": failure,
        "seconds": time.perf_counter() - started,
    }
    return json.dumps(answer).encode() + b"\n"


def _allow_seconds(seconds: float) -> None:
    """Let the process work for so long from now on, to a full second; SIGXCPU ends it then."""
    used = resource.getrusage(resource.RUSAGE_SELF)
    _bound(resource.RLIMIT_CPU, math.ceil(used.ru_utime + used.ru_stime + seconds))


def _confine(limits: DiagnosticLimits, readable: Sequence[str]) -> None:
    _bound(resource.RLIMIT_CORE, 0)
    if sys.platform != "linux":
        return
    kernel.prctl(kernel.PR_SET_PDEATHSIG, signal.SIGKILL)
    held = int(Path("/proc/self/statm").read_text().split()[0]) * resource.getpagesize()
    _bound(resource.RLIMIT_AS, held + (limits.megabytes << 20))
    with suppress(OSError):  # an older kernel: files stay as they are open to this user
        landlock.restrict(readable, [], DEVICES)
    with suppress(OSError):  # a machine whose system calls the filter does not know
        install_filter(is_metadata_allowed=False)


def _bound(limit: int, value: int) -> None:
    """Set the soft limit, as far as the hard one allows."""
    hard = resource.getrlimit(limit)[1]
    resource.setrlimit(limit, (value if hard == resource.RLIM_INFINITY else min(value, hard), hard))
