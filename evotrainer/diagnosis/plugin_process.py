"""Runs each diagnostic of a person's own in a forked child process, under limits of time and memory.

Their modules are trusted but may have mistakes. One that loops, waits, exhausts memory or crashes ends its own child.
A child writes no file (Linux 5.19 or newer), opens no socket and starts no
process. Its output goes to stderr, so that it never mixes with the program's.

This stops mistakes, not attacks: the harness itself imports the module, and the child sees all memory of the harness.
"""

import json
import math
import multiprocessing
import os
import resource
import signal
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass
from multiprocessing.connection import Connection
from pathlib import Path
from typing import TypeVar

from evotrainer.diagnosis.context import Diagnosis
from evotrainer.records import Finding
from evotrainer.sandbox import kernel, landlock
from evotrainer.sandbox.namespaces import DEVICES, readable_paths
from evotrainer.sandbox.seccomp import install_filter

MAX_BYTES = 4 * 1024**2
"""Most bytes of one diagnosis as JSON."""
_WALL_FACTOR = 4.0
"""Wall-clock limit as a multiple of the limit of processor time."""
_MAX_FAILURE = 65536
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


def run_in_child(diagnostics: Mapping[str, Callable[[], Diagnosis]], limits: DiagnosticLimits) -> dict[str, Answer]:
    """Return the answer of each diagnostic, by name and in order; a failing one never raises here."""
    return {name: _forked(diagnose, limits) for name, diagnose in diagnostics.items()}


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


def _forked(diagnose: Callable[[], Diagnosis], limits: DiagnosticLimits) -> Answer:
    """Return what a diagnostic answers in a child of its own."""
    fork = multiprocessing.get_context("fork")
    reading, writing = fork.Pipe(duplex=False)
    child = fork.Process(target=_serve, args=(diagnose, limits, writing))
    child.start()
    writing.close()
    try:
        if not reading.poll(limits.seconds * _WALL_FACTOR):
            return Answer(failure=f"took more than {limits.seconds * _WALL_FACTOR:g} s")
        return _parse(reading.recv_bytes())
    except (EOFError, OSError):  # the child ended, perhaps within its message
        child.join()
        return Answer(failure=_end(child.exitcode or 0, limits))
    finally:
        child.kill()
        child.join()
        reading.close()


def _end(code: int, limits: DiagnosticLimits) -> str:
    if code == -signal.SIGXCPU:
        return f"took more than {limits.seconds:g} s of processor time"
    return f"ended its process by {signal.Signals(-code).name}" if code < 0 else "ended its process"


def _parse(line: bytes) -> Answer:
    values = json.loads(line)
    findings = [Finding.model_validate(finding) for finding in values["findings"]]
    return Answer(Diagnosis(values["metrics"], findings), values["failure"], values["seconds"])


def _serve(diagnose: Callable[[], Diagnosis], limits: DiagnosticLimits, writing: Connection) -> None:
    os.dup2(2, 1)
    sys.stdout = sys.stderr
    _confine(limits)
    writing.send_bytes(_answer(diagnose, f"needs more than {limits.megabytes} MB"))


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
    return _line(Diagnosis(), failure.encode("utf-8", "replace").decode()[:_MAX_FAILURE], started)


def _line(diagnosis: Diagnosis, failure: str, started: float) -> bytes:
    answer = {
        "metrics": {name: float(value) for name, value in diagnosis.metrics.items()},
        "findings": [finding.model_dump(mode="json") for finding in diagnosis.findings],
        "failure": failure,
        "seconds": time.perf_counter() - started,
    }
    return json.dumps(answer).encode()


def _confine(limits: DiagnosticLimits) -> None:
    _bound(resource.RLIMIT_CORE, 0)
    _bound(resource.RLIMIT_CPU, math.ceil(limits.seconds))  # of a child, which has used none yet; SIGXCPU ends it
    if sys.platform != "linux":
        return
    kernel.die_with_parent()
    held = int(Path("/proc/self/statm").read_text().split()[0]) * resource.getpagesize()
    _bound(resource.RLIMIT_AS, held + (limits.megabytes << 20))
    with suppress(OSError):  # an older kernel: files stay as they are open to this user
        landlock.restrict(["/"], [], DEVICES)
    with suppress(OSError):  # a machine whose system calls the filter does not know
        install_filter(is_metadata_allowed=False)


def _bound(limit: int, value: int) -> None:
    """Set the soft limit, as far as the hard one allows."""
    hard = resource.getrlimit(limit)[1]
    resource.setrlimit(limit, (value if hard == resource.RLIM_INFINITY else min(value, hard), hard))
