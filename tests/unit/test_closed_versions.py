"""The declared number of versions: what the first commit of a campaign says holds to its end."""

import subprocess
from pathlib import Path

import pytest
from typer.testing import CliRunner

from cli.main import app
from evotrainer.errors import LineageError
from flows.workspace.closed_versions import check_declared, check_results
from flows.workspace.worktree import Workspace

SETTINGS = "num_versions: 3\nseed: 7\nevaluate:\n  error_budget: 0.05\nbudget:\n  total:\n    tokens: 100\n"


def git(folder: Path, *arguments: str) -> None:
    identity = ["-c", "user.name=a", "-c", "user.email=a@b"]
    subprocess.run(["git", *identity, *arguments], cwd=folder, check=True, capture_output=True)


def commit(workspace: Workspace, path: str, content: str) -> None:
    place = workspace.root / path
    place.parent.mkdir(parents=True, exist_ok=True)
    place.write_text(content)
    git(workspace.root, "add", path)
    git(workspace.root, "commit", "--quiet", "-m", path)


@pytest.fixture
def workspace(tmp_path: Path) -> Workspace:
    git(tmp_path, "init", "--quiet")
    git(tmp_path, "commit", "--quiet", "--allow-empty", "-m", "start")
    git(tmp_path, "worktree", "add", "--quiet", "-b", "campaign/n", "campaigns/n")
    found = Workspace(tmp_path, "n")
    commit(found, "conf/campaign.yaml", SETTINGS)
    return found


@pytest.mark.parametrize(("old", "new", "is_committed"), [("3", "9", True), ("7", "8", False), ("0.05", "0.5", True)])
def test_a_setting_behind_the_error_budget_is_refused_when_it_changes(workspace, old, new, is_committed):
    check_declared(workspace)
    changed = SETTINGS.replace(f" {old}\n", f" {new}\n")
    (workspace.root / "conf/campaign.yaml").write_text(changed)
    if is_committed:
        commit(workspace, "conf/campaign.yaml", changed)
    with pytest.raises(LineageError, match="is not what the campaign declared in its first commit"):
        check_declared(workspace)


def test_what_is_merged_into_a_campaign_declares_nothing(workspace, monkeypatch):
    for name in ("GIT_AUTHOR_DATE", "GIT_COMMITTER_DATE"):
        monkeypatch.setenv(name, "2001-01-01T00:00:00Z")
    changed = SETTINGS.replace(" 3\n", " 9\n")
    git(workspace.root, "checkout", "--quiet", "--detach", "HEAD~1")
    commit(workspace, "conf/campaign.yaml", changed)
    git(workspace.root, "tag", "older")
    git(workspace.root, "checkout", "--quiet", workspace.branch)
    git(workspace.root, "merge", "--quiet", "-X", "theirs", "-m", "merged", "older")
    assert (workspace.root / "conf/campaign.yaml").read_text() == changed
    with pytest.raises(LineageError, match="is not what the campaign declared"):
        check_declared(workspace)


@pytest.mark.parametrize(
    ("content", "is_committed"), [(None, True), (b"", False), (b": : [", False), (b"\xff\xfe", True)]
)
def test_settings_that_are_gone_or_unreadable_are_refused_with_a_way_back_that_works(workspace, content, is_committed):
    path = workspace.root / "conf/campaign.yaml"
    path.unlink()
    if content is not None:
        path.write_bytes(content)
    if is_committed:
        git(workspace.root, "commit", "--quiet", "-a", "-m", "edited")
    with pytest.raises(LineageError, match="is missing, or .* Restore it with .*, and commit it") as raised:
        check_declared(workspace)
    subprocess.run(str(raised.value).split("`")[1], shell=True, check=True, capture_output=True)
    check_declared(workspace)


def test_what_git_is_told_to_replace_declares_nothing(workspace):
    commit(workspace, "conf/campaign.yaml", SETTINGS.replace(" 3\n", " 9\n"))
    git(workspace.root, "replace", "HEAD~1:conf/campaign.yaml", "HEAD:conf/campaign.yaml")
    with pytest.raises(LineageError, match="is not what the campaign declared"):
        check_declared(workspace)


def test_no_version_is_closed_beside_an_edited_verdict(workspace):
    commit(workspace, "versions/v000/verdict.json", "{}")
    git(workspace.root, "tag", workspace.tag("v000"))
    check_results(workspace)
    (workspace.root / "versions/v000/verdict.json").write_text('{"outcome": "promoted"}')
    with pytest.raises(LineageError, match=r"versions/v000/verdict.json was changed after the commit that recorded it"):
        check_results(workspace)


def test_the_budget_of_compute_may_be_raised(workspace):
    commit(workspace, "conf/campaign.yaml", SETTINGS.replace("100", "900"))
    check_declared(workspace)


@pytest.mark.parametrize("command", [["lineage", "n"], ["diagnose", "n", "v001"]])
def test_commands_that_show_results_name_an_edited_verdict(workspace, command, monkeypatch):
    commit(workspace, "versions/v001/verdict.json", "{}")
    git(workspace.root, "tag", workspace.tag("v001"))
    for path in ("flows/campaign.py", ".dvc/config"):
        (workspace.main / path).parent.mkdir(exist_ok=True)
        (workspace.main / path).touch()
    (workspace.root / "versions/v001/verdict.json").write_text('{"outcome": "promoted"}')
    monkeypatch.chdir(workspace.main)
    error = CliRunner().invoke(app, command).exception
    assert isinstance(error, LineageError) and "verdict.json was changed after" in str(error)
