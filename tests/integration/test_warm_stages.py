"""Stages in forks of one process: the same streams, status, costs and ends as in processes of their own."""

import signal
import subprocess
from collections.abc import Iterator
from pathlib import Path

import psutil
import pytest

from tasks.running.stage_process import keep_warm, let_cool, stage_environment
from tests.integration.conftest import copy_tree
from tests.waiting import wait_for

STAGE = """
import os, sys, time
from pathlib import Path
def run(files, subject):
    print("{text}", subject, os.getcwd(), os.environ.get("KNOB"))
    print("started", file=sys.stderr, flush=True)
    (files.root / "scratch" / "pid").write_text(str(os.getpid()))
    {do}
"""


@pytest.fixture(scope="module")
def tree(template: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """A tree of code with a process that forks for its stages."""
    root = tmp_path_factory.mktemp("warm") / "main"
    copy_tree(template, root)
    keep_warm(root)
    yield root
    let_cool(root)


def write_stage(tree: Path, text: str = "one", do: str = "pass") -> None:
    (tree / "tasks" / "rollout.py").write_text(STAGE.format(text=text, do=do))


def start(tree: Path, stage: str = "rollout", **environment: str) -> subprocess.Popen[str]:
    (tree / "scratch" / "pid").unlink(missing_ok=True)
    return subprocess.Popen(
        ["sh", "../tasks/stage.sh", stage, "v001"],
        cwd=tree / "conf",
        env={**stage_environment(tree), **environment},
        text=True,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )


def run(tree: Path, stage: str = "rollout", **environment: str) -> tuple[int, str, str]:
    process = start(tree, stage, **environment)
    out, error = process.communicate(timeout=60)
    return process.returncode, out, error


def stage_process(tree: Path) -> psutil.Process:
    pid = tree / "scratch" / "pid"
    wait_for(lambda: pid.is_file() and pid.read_text())
    return psutil.Process(int(pid.read_text()))


def warm_process(tree: Path) -> psutil.Process:
    found = [child for child in psutil.Process().children() if "tasks.running.warm_stages" in child.cmdline()]
    return next(process for process in found if Path(process.cwd()) == tree.resolve())


def test_stage_has_the_streams_folder_and_environment_of_its_caller(tree: Path) -> None:
    write_stage(tree)
    assert run(tree, KNOB="a\nb") == (0, f"one v001 {tree / 'conf'} a\nb\n", "started\n")
    assert run(tree) == (0, f"one v001 {tree / 'conf'} None\n", "started\n")


def test_a_stage_is_a_fork_of_the_process_that_has_the_libraries(tree: Path) -> None:
    write_stage(tree, do="print('pandas' in sys.modules, 'cli.main' in sys.modules)")
    assert run(tree)[1].splitlines()[1] == "True False"


def test_changed_code_is_what_runs(tree: Path) -> None:
    for text in ("one", "three", "eleven"):  # of other sizes: Python's cache misses an edit of one size and second
        write_stage(tree, text)
        assert run(tree)[1].startswith(f"{text} v001")


def test_status_is_that_of_the_stage(tree: Path) -> None:
    write_stage(tree, do="raise ValueError('no rows')")
    status, _, error = run(tree)
    assert status == 1 and error.endswith("error: ValueError: no rows\n")
    write_stage(tree, do="os.kill(os.getpid(), 9)")
    status, _, error = run(tree)
    assert status == 75 and error.endswith("error: the process of the stage was killed\n")


@pytest.mark.parametrize("told", [signal.SIGTERM, signal.SIGKILL])
def test_stage_ends_with_the_process_that_waits_for_it(tree: Path, told: signal.Signals) -> None:
    write_stage(tree, do="time.sleep(60)")
    client = start(tree)
    stage = stage_process(tree)
    client.send_signal(told)
    client.wait()
    wait_for(lambda: not stage.is_running())


def test_lost_process_ends_its_stages_and_is_worth_a_retry(tree: Path) -> None:
    write_stage(tree, do="time.sleep(60)")
    client = start(tree)
    stage = stage_process(tree)
    warm_process(tree).kill()
    client.communicate()
    assert client.returncode == 75
    wait_for(lambda: not stage.is_running())
    write_stage(tree)
    assert run(tree)[0] == 0  # by itself: nobody listens any more
    keep_warm(tree)
    assert run(tree)[0] == 0 and warm_process(tree).is_running()


def test_unknown_stage_is_refused_as_by_a_process_of_its_own(tree: Path) -> None:
    status, _, error = run(tree, "unheard")
    assert status == 1 and error.startswith("error: usage: python -m tasks STAGE SUBJECT")
