"""What happens when the kernel refuses, when the parent dies, when the zygote dies."""

import contextlib
import functools
import os
import select
import signal
import subprocess
import sys
from pathlib import Path

import psutil
import pytest

from evotrainer.errors import InfrastructureError, SandboxError
from evotrainer.sandbox import Limits, Program, Sandbox, run
from evotrainer.sandbox.landlock import empty_directory, remove_directory
from evotrainer.sandbox.sandbox import BACKENDS

ROOT = Path(__file__).parents[2]

REFUSE = """
import ctypes, errno, struct, sys
sys.path.insert(0, {root!r})
from evotrainer.sandbox import kernel
from evotrainer.sandbox.sandbox import BACKENDS
code = struct.pack("HBBI", 0x20, 0, 0, 0)
for number in {numbers!r}:
    code += struct.pack("HBBI", 0x15, 0, 1, number) + struct.pack("HBBI", 6, 0, 0, 0x00050000 | errno.EPERM)
code += struct.pack("HBBI", 6, 0, 0, 0x7FFF0000)
held = ctypes.create_string_buffer(code, len(code))
record = struct.pack("HxxxxxxP", len(code) // 8, ctypes.addressof(held))
kernel.prctl(kernel.PR_SET_NO_NEW_PRIVS, 1)
kernel.prctl(kernel.PR_SET_SECCOMP, 2, ctypes.cast(ctypes.create_string_buffer(record), ctypes.c_void_p))
from evotrainer.errors import SandboxError
from evotrainer.sandbox import Program, Sandbox
from evotrainer.sandbox.sandbox import BACKENDS
try:
    with Sandbox() as sandbox:
        print(sandbox.backend, sandbox.run(Program("print(42)")).stdout)
except SandboxError as error:
    print("refused:", error)
"""
"""Runs the sandbox in a process whose kernel refuses some calls, as a container does."""

UNSHARE, LANDLOCK_CREATE, MOUNT_SETATTR = 272, 444, 442


@functools.cache
def working() -> list[str]:
    found = []
    for backend in BACKENDS:
        with contextlib.suppress(SandboxError), Sandbox(backend):
            found.append(backend)
    return found


@pytest.fixture(params=BACKENDS)
def backend(request: pytest.FixtureRequest) -> str:
    if request.param not in working():
        pytest.skip(f"no {request.param} here")
    return request.param


def run_where_refused(*numbers: int) -> str:
    source = REFUSE.format(root=str(ROOT), numbers=numbers)
    done = subprocess.run([sys.executable, "-c", source], capture_output=True, text=True, timeout=60)
    assert done.returncode == 0, done.stderr
    return done.stdout.strip()


@pytest.mark.skipif(os.uname().machine != "x86_64", reason="the numbers of the refused calls are x86-64's")
@pytest.mark.parametrize("call", [UNSHARE, MOUNT_SETATTR])
def test_landlock_stands_in_where_namespaces_are_refused(call: int) -> None:
    if "landlock" not in working():
        pytest.skip("this kernel has no Landlock")
    assert run_where_refused(call).split() == ["landlock", "42"]


@pytest.mark.skipif(os.uname().machine != "x86_64", reason="the numbers of the refused calls are x86-64's")
def test_nothing_runs_where_both_are_refused() -> None:
    answer = run_where_refused(UNSHARE, LANDLOCK_CREATE)
    assert answer.startswith("refused: this machine gives no sandbox (namespaces: ")
    assert "unshare" in answer
    assert "Landlock ABI 0" in answer
    assert len(answer.splitlines()) == 1


def zygote_of(sandbox: Sandbox) -> psutil.Process:
    zygote = sandbox._idle.get()
    sandbox._idle.put(zygote)
    return psutil.Process(zygote._process.pid)


def test_a_dead_zygote_is_an_infrastructure_error_and_is_replaced(backend: str) -> None:
    with Sandbox(backend) as sandbox:  # type: ignore[arg-type]
        zygote = zygote_of(sandbox)
        zygote.kill()
        with pytest.raises(SandboxError) as caught:
            sandbox.run(Program("print(1)"))
        assert isinstance(caught.value, InfrastructureError)
        assert sandbox.run(Program("print(2)")).stdout == "2\n"


def test_the_sandbox_dies_with_its_parent(
    backend: str, public_directory: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TMPDIR", str(public_directory))
    source = (
        "from evotrainer.sandbox import *\n"
        f"with Sandbox({backend!r}) as sandbox:\n"
        "    print(sandbox.run(Program('print(1)')).outcome, flush=True)\n"
        "    sandbox.run(Program('while True: pass'), Limits(cpu_seconds=60, wall_seconds=60))\n"
    )
    parent = subprocess.Popen([sys.executable, "-c", source], stdout=subprocess.PIPE, text=True, cwd=ROOT)
    assert parent.stdout is not None
    assert parent.stdout.readline() == "ok\n"
    wanted = 3 if backend == "namespaces" else 2
    while len(inner := psutil.Process(parent.pid).children(recursive=True)) < wanted:
        assert parent.poll() is None, "the parent ended before its program ran"
    watched = [os.pidfd_open(process.pid) for process in inner]
    os.kill(parent.pid, signal.SIGKILL)
    parent.communicate()
    for process in watched:
        poll = select.poll()
        poll.register(process, select.POLLIN)
        assert poll.poll(20_000), "a process of the sandbox outlived its parent"
        os.close(process)


def test_leaving_removes_every_process_and_directory(public_directory: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tempfile.tempdir", str(public_directory))
    before = set(psutil.Process().children(recursive=True))
    for backend in working():
        with Sandbox(backend, num_workers=2) as sandbox:  # type: ignore[arg-type]
            sandbox.run(Program("import os\nos.makedirs('a/b')\nos.chmod('a', 0)"))
    assert set(psutil.Process().children(recursive=True)) == before
    assert list(public_directory.iterdir()) == []


def test_an_end_counts_however_long_its_files_take_to_go(backend, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(run, "CLEAN_SECONDS", 0.001)
    source = "for n in range(3_000): open(str(n), 'w').close()\nraise SystemExit(3)"
    with Sandbox(backend) as sandbox:
        assert sandbox.run(Program(source), Limits(cpu_seconds=30, wall_seconds=60)).outcome == "nonzero_exit"
        monkeypatch.undo()
        assert sandbox.run(Program("import os\nprint(os.listdir())")).stdout == "[]\n"


def test_programs_that_leave_many_files_do_not_fill_the_disk(
    public_directory: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    if "landlock" not in working():
        pytest.skip("no Landlock here")
    monkeypatch.setattr("tempfile.tempdir", str(public_directory))
    monkeypatch.setattr(run, "CLEAN_SECONDS", 0.001)
    with Sandbox("landlock") as sandbox:
        for _ in range(4):
            sandbox.run(Program("for n in range(1500): open(str(n), 'w').close()"))
            assert len(list(public_directory.iterdir())) <= 1


def test_removing_follows_no_link_and_depends_on_no_name_or_depth(tmp_path: Path) -> None:
    outside, top = tmp_path / "outside", tmp_path / "top"
    for folder in (outside, top):
        folder.mkdir()
    (outside / "kept").touch()
    (top / "link").symlink_to(outside)
    for pid in (os.getpid(), os.getppid()):
        for number in range(5):
            (top / f".{pid}-{number}" / "inner").mkdir(parents=True)
            (top / f".{pid}-{number}" / "inner" / "link").symlink_to(outside)
    place = os.open(top, os.O_RDONLY)
    for _ in range(1100):  # deeper than a path or a call stack
        os.mkdir("d", dir_fd=place)
        inner = os.open("d", os.O_RDONLY, dir_fd=place)
        os.close(place)
        place = inner
    os.close(place)
    (top / ".closed").mkdir(mode=0)
    empty_directory(top)
    assert (outside / "kept").exists()
    remove_directory(top)
    assert not top.exists() and (outside / "kept").exists()
