"""A stage that had ended when its run was killed is recorded by the next run; one that had not ended runs again."""

import json
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest
import yaml
from dvc.exceptions import DvcException
from dvc.repo import Repo

from evotrainer.campaign.subjects import Subject
from flows.workspace.git import git
from tasks.running.dvc_stage import bring_up_to_date
from tasks.running.finished_stages import has_ended, note_end, note_path, note_start

VERSION = Subject.version("v001")
TARGET = "versions/v001/dvc.yaml:train"
COMMAND = (
    "echo ran >> ../../runs; mkdir -p model; cp ../../given model/weights; echo {} > training.json; cat model/weights"
)


@pytest.fixture
def root(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A DVC project whose one stage has ended and is recorded, its note as it stood before that."""
    monkeypatch.chdir(tmp_path)
    git(tmp_path, "init", "--quiet")
    Repo.init(str(tmp_path)).close()
    folder = tmp_path / VERSION.folder
    folder.mkdir(parents=True)
    outputs = ["model", {"training.json": {"cache": False}}]
    stage = {"cmd": COMMAND, "deps": ["../../given"], "outs": outputs}
    (folder / "dvc.yaml").write_text(yaml.safe_dump({"stages": {"train": stage}}))
    (tmp_path / "given").write_text("weights\n")
    note, kept = note_path(tmp_path, VERSION, "train"), tmp_path / "kept.json"
    assert run(tmp_path) == [TARGET]
    assert not note.exists()
    with Repo(str(tmp_path)) as repo:
        inputs = {dep.def_path: str(dep.get_hash().value) for dep in repo.stage.load_one(*TARGET.split(":")).deps}
    note_start(note, COMMAND, inputs, ["model", "training.json"])
    shutil.copy(note, kept)
    note_end(tmp_path, VERSION, "train")
    return tmp_path


def run(root: Path) -> list[str]:
    with Repo(str(root)) as repo:
        return bring_up_to_date(repo, TARGET, note_path(root, VERSION, "train"), force=False)


def num_runs(root: Path) -> int:
    return len((root / "runs").read_text().splitlines())


def before_the_lock(root: Path) -> None:
    (root / VERSION.folder / "dvc.lock").unlink()
    shutil.rmtree(root / ".dvc" / "cache")


def before_the_cache(root: Path) -> None:
    shutil.rmtree(root / ".dvc" / "cache")


def before_the_link(root: Path) -> None:
    (root / VERSION.folder / "model" / "weights").unlink()


@pytest.mark.parametrize("killed", [before_the_lock, before_the_cache, before_the_link])
def test_what_had_ended_is_not_run_again(root: Path, killed: Callable[[Path], None]) -> None:
    killed(root)
    assert run(root) == []
    assert num_runs(root) == 1
    assert (root / VERSION.folder / "model" / "weights").read_text() == "weights\n"
    assert not note_path(root, VERSION, "train").exists()
    with Repo(str(root)) as repo:
        assert repo.status(targets=[TARGET]) == {}
        assert not any(out.changed_cache() for out in repo.stage.load_one(*TARGET.split(":")).outs if out.use_cache)


def another_input(root: Path) -> None:
    (root / "given").write_text("others\n")


def cut_short(root: Path) -> None:
    weights = root / VERSION.folder / "model" / "weights"
    weights.unlink()
    weights.write_text("weig")


def lost(root: Path) -> None:
    (root / VERSION.folder / "training.json").unlink()


def still_running(root: Path) -> None:
    shutil.copy(root / "kept.json", note_path(root, VERSION, "train"))


@pytest.mark.parametrize("changed", [another_input, cut_short, lost, still_running])
def test_what_is_not_as_noted_runs_again(root: Path, changed: Callable[[Path], None]) -> None:
    before_the_lock(root)
    changed(root)
    assert run(root) == [TARGET]
    assert num_runs(root) == 2
    assert (root / VERSION.folder / "model" / "weights").read_text() == (root / "given").read_text()


def test_a_stage_that_no_flow_started_leaves_no_note(tmp_path: Path) -> None:
    note_end(tmp_path, VERSION, "train")
    assert not note_path(tmp_path, VERSION, "train").exists()


def test_a_note_lists_every_file_of_the_outputs(root: Path) -> None:
    note = json.loads(note_path(root, VERSION, "train").read_text())
    assert sorted(note["files"]) == ["model/weights", "training.json"]


@pytest.mark.parametrize(("status", "left"), [(78, ["agent.jsonl"]), (75, ["agent.jsonl", "model", "training.json"])])
def test_a_stage_that_the_budget_stopped_leaves_no_output_but_recorded_answers(
    root: Path, status: int, left: list[str]
) -> None:
    folder = root / VERSION.folder
    path = folder / "dvc.yaml"
    stage = yaml.safe_load(path.read_text())["stages"]["train"]
    stage["cmd"] = (
        f"mkdir -p model; echo half > model/weights; touch training.json; echo a >> agent.jsonl; exit {status}"
    )
    stage["outs"].append({"agent.jsonl": {"cache": False, "persist": True}})
    path.write_text(yaml.safe_dump({"stages": {"train": stage}}))
    with pytest.raises(DvcException):
        run(root)
    assert [name for name in ("agent.jsonl", "model", "training.json") if (folder / name).exists()] == left
    assert (folder / "agent.jsonl").read_text() == "a\n"
    assert not has_ended(note_path(root, VERSION, "train")), "it runs again"
