"""A campaign's worktree takes the byte code of the main checkout, and never runs a file as it was before a change."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from flows.workspace.byte_code import compile_code, copy_byte_code

NAME = "evotrainer/value.py"


@pytest.fixture
def worktree(tmp_path: Path) -> Path:
    """Two checkouts of one module; the first was compiled and handed its byte code to the second."""
    main, root = tmp_path / "main", tmp_path / "worktree"
    for checkout in (main, root):
        (checkout / "evotrainer").mkdir(parents=True)
        (checkout / NAME).write_text("VALUE = 1\n")
        os.utime(checkout / NAME, (0, 0) if checkout == main else None)
    compile_code(main)
    copy_byte_code(main, root)
    return root


def run(root: Path) -> subprocess.CompletedProcess[str]:
    code = "from evotrainer.value import VALUE; print(VALUE)"
    return subprocess.run([sys.executable, "-S", "-B", "-v", "-c", code], cwd=root, capture_output=True, text=True)


def test_nothing_is_compiled_again(worktree: Path) -> None:
    done = run(worktree)
    (cached,) = (worktree / "evotrainer" / "__pycache__").glob("value.*.pyc")
    assert done.stdout == "1\n"
    assert f"code object from '{cached}'" in done.stderr.replace(f"{worktree}/./", f"{worktree}/")


def test_a_changed_file_of_the_same_time_and_size_is_run_as_it_is(worktree: Path) -> None:
    source = worktree / NAME
    times = source.stat()
    source.write_text("VALUE = 2\n")
    os.utime(source, ns=(times.st_atime_ns, times.st_mtime_ns))
    assert run(worktree).stdout == "2\n"


def test_byte_code_that_only_knows_the_time_of_its_source_stays_behind(tmp_path: Path) -> None:
    main, root = tmp_path / "main", tmp_path / "worktree"
    for checkout in (main, root):
        (checkout / "evotrainer").mkdir(parents=True)
        (checkout / NAME).write_text("VALUE = 1\n")
    subprocess.run([sys.executable, "-m", "compileall", "-q", "--invalidation-mode", "timestamp", main], check=True)
    copy_byte_code(main, root)
    assert not list(root.rglob("*.pyc"))
    assert list(main.rglob("*.pyc"))
