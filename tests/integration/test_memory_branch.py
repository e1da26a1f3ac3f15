"""The branch `memory`: appended once by a campaign that ends, read by the next one, never by one that declines."""

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner

from cli.main import app
from evotrainer.campaign.memory import Memory, load_memory, save_memory, skill_text
from evotrainer.errors import LineageError
from evotrainer.records import Case, HarnessReport, Lesson
from flows.workspace.git import commit_folder, git
from flows.workspace.memory import append, read_memory
from flows.workspace.start_campaign import start_campaign
from flows.workspace.worktree import Workspace
from tasks.plan import write_generation
from tests.evolving_campaign import write_campaign
from tests.integration.conftest import Repository, copy_tree
from tests.plain_records import plain_case

pytestmark = pytest.mark.slow


def test_a_finished_campaign_is_remembered_once(finished: Repository, tmp_path: Path) -> None:
    assert finished.git("rev-list", "--count", "memory").strip() == "1"
    memory = read_memory(finished.root, tmp_path)
    assert memory.campaigns == ["c"]
    assert append(Workspace(finished.root, "c")) is False
    assert finished.git("status", "--porcelain") == ""


def test_the_next_campaign_starts_from_it_and_freezes_it(finished: Repository, tmp_path: Path) -> None:
    copy_tree(finished.root, tmp_path / "copy")
    repository = Repository(tmp_path / "copy")
    repository.git("worktree", "prune")
    following, alone = (
        start_campaign(repository.root, name, ["num_versions=1", *settings], require_clean=False)
        for name, settings in (("next", []), ("alone", ["memory=none"]))
    )
    write_generation(following.files)
    assert load_memory(following.files.version("v000").memory).campaigns == ["c"]
    assert not alone.files.memory.exists() and append(alone) is False


def test_a_fresh_clone_appends_to_what_the_remote_remembers(tmp_path: Path) -> None:
    origin, clone = tmp_path / "origin", tmp_path / "clone"
    git(tmp_path, "init", "--quiet", str(origin))
    save_memory(tmp_path / "earlier", Memory(cases=[plain_case(campaign="earlier")]))
    earlier = commit_folder(origin, tmp_path / "earlier", "earlier", None)
    git(origin, "update-ref", "refs/heads/memory", earlier)
    git(tmp_path, "clone", "--quiet", "--no-checkout", str(origin), str(clone))
    files = write_campaign(clone / "campaigns" / "c", ["good", "good"])
    seen = HarnessReport(version="v002", harness_version="h", metrics={"solve_rate": 0.25})
    files.version("v002").findings.write(seen)
    assert append(Workspace(clone, "c"))
    assert git(clone, "rev-parse", "refs/heads/memory^") == earlier
    assert git(clone, "rev-parse", "refs/remotes/origin/memory") == earlier
    memory = read_memory(clone, tmp_path / "now")
    assert memory.campaigns == ["earlier", "c"]
    assert [case.metrics for case in memory.cases][1:] == [seen.metrics]


def test_every_reading_command_has_a_table_and_json(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    lesson = Lesson(
        triggers=["timidity"],
        changes=["algorithm.learning_rate x 2"],
        low=0.0,
        high=0.1,
        hypothesis="if x2 then more",
        validation="3 fresh training seeds",
    )
    case = plain_case(findings=["timidity"], factor="learning_rate", change="rate-up", lesson=lesson, difference=0.05)
    git(tmp_path, "init", "--quiet", str(tmp_path))
    save_memory(tmp_path / "m", Memory(cases=[case]))
    git(tmp_path, "update-ref", "refs/heads/memory", commit_folder(tmp_path, tmp_path / "m", "m", None))
    monkeypatch.setattr("flows.workspace.worktree.project_root", lambda: tmp_path)
    for words, shown in (([], "rate-up"), (["learning_rate"], "c/v002"), (["rate-up"], "**Expected.**")):
        assert shown in CliRunner().invoke(app, ["memory", *words]).stdout
    assert skill_text("rate-up", [case]) == (tmp_path / "m" / "skills" / "rate-up" / "SKILL.md").read_text()
    (shown,) = json.loads(CliRunner().invoke(app, ["memory", "rate-up", "--json"]).stdout)["cases"]
    assert Case.model_validate(shown) == case
    failed = CliRunner().invoke(app, ["memory", "rate-down"]).exception
    assert isinstance(failed, LineageError) and "rate-up" in str(failed)
