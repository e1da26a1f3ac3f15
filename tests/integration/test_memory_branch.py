"""The branch `memory`: appended once by a campaign that ends, read by the next one, never by one that declines."""

from pathlib import Path

from evotrainer.layout import CampaignFiles
from evotrainer.memory import Memory, load_memory, save_memory
from evotrainer.memory.distil import remember
from evotrainer.records import HarnessReport
from flows.git import commit_folder, git
from flows.memory import append, read_memory
from flows.workspace import Workspace
from tests.evolving_campaign import record, write_campaign
from tests.integration.conftest import Repository


def test_a_finished_campaign_is_remembered_once(finished: Repository, tmp_path: Path) -> None:
    assert finished.git("rev-list", "--count", "memory").strip() == "1"
    memory = read_memory(finished.root, tmp_path)
    assert memory.campaigns == ["c"] and len(memory.ledger) == 4
    assert append(Workspace(finished.root, "c")) is False
    assert finished.git("status", "--porcelain") == ""


def test_the_next_campaign_starts_from_it_and_freezes_it(finished: Repository, tmp_path: Path) -> None:
    import shutil

    shutil.copytree(finished.root, tmp_path / "copy", symlinks=True)
    repository = Repository(tmp_path / "copy")
    repository.git("worktree", "prune")
    for name, settings in (("next", []), ("alone", ["memory=none"])):
        repository.run("campaign", "run", name, "num_versions=1", *settings)
    files = CampaignFiles(repository.campaign("next"))
    assert load_memory(files.version("v001").memory).campaigns == ["c"]
    assert not CampaignFiles(repository.campaign("alone")).memory.exists()
    assert repository.git("rev-list", "--count", "memory").strip() == "2"


def test_a_fresh_clone_appends_to_what_the_remote_remembers(tmp_path: Path) -> None:
    origin, clone = tmp_path / "origin", tmp_path / "clone"
    git(tmp_path, "init", "--quiet", str(origin))
    save_memory(tmp_path / "earlier", remember(Memory(), "earlier", "math", [record("v000", "")], {}, []))
    earlier = commit_folder(origin, tmp_path / "earlier", "earlier", None)
    git(origin, "update-ref", "refs/heads/memory", earlier)
    git(tmp_path, "clone", "--quiet", "--no-checkout", str(origin), str(clone))
    files = write_campaign(clone / "campaigns" / "c", ["good", "good"])
    seen = HarnessReport(version="v002", harness_version="h", metrics={"solve_rate": 0.25})
    files.version("v002").findings.write_text(seen.model_dump_json())
    assert append(Workspace(clone, "c"))
    assert git(clone, "rev-parse", "refs/heads/memory^") == earlier
    assert git(clone, "rev-parse", "refs/remotes/origin/memory") == earlier
    memory = read_memory(clone, tmp_path / "now")
    assert memory.campaigns == ["earlier", "c"]
    assert [case.metrics for case in memory.cases] == [seen.metrics]
