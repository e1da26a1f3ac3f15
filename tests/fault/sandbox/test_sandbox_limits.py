"""Attacks on resources: time, memory, processes, output. Each is really run, on every backend of this machine."""

import pytest

from evotrainer.sandbox import Limits, Program, Sandbox
from tests.sandbox_attacks import QUICK, SMALL, survivors


def test_some_backend_protects_this_machine() -> None:
    with Sandbox() as sandbox:
        assert sandbox.run(Program("print(1)")).outcome == "ok"


@pytest.mark.parametrize(
    "source",
    [
        "while True: pass",
        "import time; time.sleep(60)",
        "print(len(str(7 ** 10 ** 9)))",
        "import os, sys\nos.close(0); os.close(1); os.close(2)\nwhile True: pass",
        "import signal as s\nfor n in range(1, 32):\n    if n not in (9, 19): s.signal(n, s.SIG_IGN)\nwhile True: pass",
        "import threading, time\nthreading.Thread(target=time.sleep, args=(60,)).start()",
        "import atexit, time\natexit.register(time.sleep, 60)",
        "try:\n    while True: pass\nfinally:\n    while True: pass",
    ],
)
def test_endless_programs_time_out(sandbox: Sandbox, source: str) -> None:
    assert sandbox.run(Program(source), QUICK).outcome == "timeout"


def test_processor_time_is_limited_apart_from_the_wall(sandbox: Sandbox) -> None:
    deaf = Program("import signal\nsignal.signal(signal.SIGXCPU, signal.SIG_IGN)\nwhile True: pass")
    assert sandbox.run(deaf, Limits(cpu_seconds=1, wall_seconds=60)).outcome == "timeout"


def test_no_process_can_be_made(sandbox: Sandbox) -> None:
    attempts = """
import ctypes, subprocess
libc = ctypes.CDLL(None, use_errno=True)
def call(*arguments):
    if libc.syscall(*(ctypes.c_long(a) for a in arguments)) < 0:
        raise OSError(ctypes.get_errno(), "refused")
attempt("fork", os.fork)
attempt("forkpty", os.forkpty)
attempt("spawn", lambda: os.posix_spawn(sys.executable, [sys.executable], {}))
attempt("subprocess", lambda: subprocess.run([sys.executable, "-c", "1"]))
attempt("execv", lambda: os.execv(sys.executable, [sys.executable, "-c", "print(1)"]))
attempt("vfork", lambda: call(58))
attempt("clone", lambda: call(56, 17, 0, 0, 0, 0))
attempt("clone3", lambda: call(435, 0, 0))
"""
    assert survivors(sandbox, attempts) == {}


def test_a_fork_bomb_is_denied(sandbox: Sandbox) -> None:
    assert sandbox.run(Program("import os\nwhile True: os.fork()")).outcome == "denied"


def test_a_thread_bomb_ends(sandbox: Sandbox) -> None:
    source = (
        "import threading, time\nmade = 0\ntry:\n    while made < 5000:\n"
        "        threading.Thread(target=time.sleep, args=(60,), daemon=True).start(); made += 1\n"
        "except RuntimeError: pass\nprint(made)"
    )
    execution = sandbox.run(Program(source), Limits(cpu_seconds=10, wall_seconds=20, memory_bytes=256 * 1024**2))
    assert execution.outcome == "ok"
    assert 0 < int(execution.stdout) < 70


@pytest.mark.parametrize(
    "source",
    [
        "x = []\nwhile True: x.append(bytearray(10 ** 7))",
        "bytearray(10 ** 10)",
        "x = 'a'\nwhile True: x += x",
        "import mmap\nx = []\nwhile True: x.append(mmap.mmap(-1, 10 ** 8))",
    ],
)
def test_memory_bombs_are_contained(sandbox: Sandbox, source: str) -> None:
    execution = sandbox.run(Program(source), SMALL)
    assert execution.outcome == ("nonzero_exit" if "mmap" in source else "memory"), execution.stderr


def test_no_memory_outside_the_limit(sandbox: Sandbox) -> None:
    attempts = """
import ctypes
libc = ctypes.CDLL(None, use_errno=True)
def shmget():
    if libc.shmget(0, 10 ** 6, 0o1600) < 0:
        raise OSError(ctypes.get_errno(), "refused")
attempt("memfd", lambda: os.memfd_create("x"))
attempt("shmget", shmget)
attempt("large file", lambda: open("large", "wb").write(bytes(10 ** 8)))
"""
    assert survivors(sandbox, attempts) == {}


def test_files_together_are_limited_in_namespaces(sandbox: Sandbox) -> None:
    if sandbox.backend != "namespaces":
        pytest.skip("Landlock limits each file, not their sum")
    source = "n = 0\nwhile True:\n    open(str(n), 'wb').write(bytes(10 ** 6)); n += 1"
    execution = sandbox.run(Program(source), Limits(file_bytes=8 * 1024**2))
    assert execution.outcome == "nonzero_exit"
    assert "No space left" in execution.stderr


@pytest.mark.parametrize("stream", ["stdout", "stderr"])
def test_a_flood_of_output_is_cut(sandbox: Sandbox, stream: str) -> None:
    source = f"import sys\nfor _ in range(100): sys.{stream}.write('x' * 10 ** 6)"
    execution = sandbox.run(Program(source), SMALL)
    assert execution.outcome == "output_limit"
    assert len(execution.stdout) + len(execution.stderr) == SMALL.output_bytes


def test_a_flood_of_a_value_is_cut(sandbox: Sandbox) -> None:
    program = Program("def f(): return 'x' * 10 ** 8", function="f")
    assert sandbox.run(program, Limits(output_bytes=10_000, memory_bytes=10**9)).outcome == "output_limit"
