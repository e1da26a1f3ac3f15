"""One DVC stage from a flow: two side by side in one workspace, locks waited for, errors told."""

import asyncio
from pathlib import Path

import pytest
import yaml
from dvc.repo import Repo

from evotrainer.campaign.layout import Subject
from flows.workspace.git import git
from tasks.running import dvc
from tasks.running.dvc import run_stage
from tasks.running.stage_process import MachineFailedError, StageFailedError, let_cool


@pytest.fixture
def workspace(tmp_path: Path) -> Path:
    """A DVC project with two versions; the code of stages comes from this tree."""
    git(tmp_path, "init", "--quiet")
    Repo.init(str(tmp_path)).close()
    for package in ("tasks", "evotrainer", "conf", "harness_plugins"):
        (tmp_path / package).symlink_to(Path(__file__).resolve().parents[2] / package)
    for version in ("v001", "v002"):
        folder = tmp_path / "versions" / version
        folder.mkdir(parents=True)
        wait = "while [ ! -e ../v001/here -o ! -e ../v002/here ]; do sleep 0.05; done"
        stages = {
            "meet": {"cmd": f"touch here; {wait}; echo {version} > out", "outs": ["out"]},
            "fail": {"cmd": "echo 'error: first' >&2; echo 'error: no luck' >&2; exit 1"},
            "crash": {"cmd": "kill -9 $$"},
            "orphan": {"cmd": "kill -9 $PPID"},
        }
        (folder / "dvc.yaml").write_text(yaml.safe_dump({"stages": stages}))
    return tmp_path


def test_two_versions_run_side_by_side(workspace: Path) -> None:
    async def both() -> list[bool]:
        return await asyncio.gather(
            *[run_stage(workspace, Subject.version(version), "meet") for version in ("v001", "v002")]
        )

    try:
        assert asyncio.run(both()) == [True, True]  # each waits for the other one to have started
        assert asyncio.run(both()) == [False, False]
    finally:
        let_cool(workspace)
    assert (workspace / "versions" / "v002" / "out").read_text() == "v002\n"


def test_stage_waits_for_the_repository_lock(workspace: Path) -> None:
    (workspace / "versions" / "v001" / "here").touch()
    (workspace / "versions" / "v002" / "here").touch()

    async def while_locked() -> bool:
        with Repo(str(workspace)).lock:
            stage = asyncio.create_task(run_stage(workspace, Subject.version("v001"), "meet"))
            done, _ = await asyncio.wait([stage], timeout=5)  # longer than the 3 s after which DVC gives up
            assert not done
        return await stage

    try:
        assert asyncio.run(while_locked())
    finally:
        let_cool(workspace)


@pytest.mark.parametrize(("cause", "kind"), [("", MachineFailedError), (" missing data 'source': a", StageFailedError)])
def test_a_failure_that_dvc_has_no_word_for_is_tried_again(workspace: Path, cause: str, kind: type[Exception]) -> None:
    error = f"failed to reproduce 'versions/v001/dvc.yaml:train':{cause}"
    assert type(dvc._failure(workspace, Subject.version("v001"), "train", ["repro"], 255, error)) is kind


@pytest.mark.parametrize(
    ("stage", "kind", "told"),
    [
        (
            "fail",
            StageFailedError,
            r"^v001 fail failed: no luck\. Rerun it: \(cd .* repro -s versions/v001/dvc.yaml:fail\)$",
        ),
        ("crash", MachineFailedError, "killed by signal 9"),
        ("orphan", MachineFailedError, "DVC was ended by signal 9"),
    ],
)
def test_own_error_of_a_stage_and_failures_of_the_machine_are_told_apart(
    workspace: Path, stage: str, kind: type[Exception], told: str
) -> None:
    with pytest.raises(kind, match=told):
        asyncio.run(run_stage(workspace, Subject.version("v001"), stage))
    let_cool(workspace)
