"""A campaign whose harness evolves: a gap becomes a revision, on the campaign's branch and in the versions after it."""

import json
import shutil
from pathlib import Path

import pytest
import yaml

from evotrainer.campaign.layout import CampaignFiles
from evotrainer.config import load_config
from evotrainer.diagnosis.evolved.cards import load_cards
from evotrainer.diagnosis.harness import Harness
from tests.integration.conftest import Repository, copy_tree, module_of

pytestmark = pytest.mark.slow

SETTINGS = ["num_versions=5", "search.merge=false", "search.candidates_per_generation=3", "harness=evolving"]


@pytest.fixture(scope="module")
def evolved(template: Path, tmp_path_factory: pytest.TempPathFactory) -> Repository:
    """A scratch repository with the finished campaign `c`, whose bad versions do something that nothing reads."""
    root = tmp_path_factory.mktemp("evolved") / "main"
    copy_tree(template, root)
    shutil.copy(Path(__file__).with_name("evolving_stages.py"), root / "tasks" / "evolving_stages.py")
    for stage in ("rollout", "train", "evaluate"):
        module_of(root, stage).write_text(f"from tasks.evolving_stages import {stage} as run\n")
    repository = Repository(root)
    repository.git("add", ".")
    repository.git("-c", "user.name=a", "-c", "user.email=a@b", "commit", "--quiet", "-m", "evidence")
    repository.run("campaign", "run", "c", *SETTINGS)
    return repository


def _cards(evolved: Repository) -> list[dict]:
    folder = evolved.campaign() / "harness" / "r02" / "plugins"
    return [yaml.safe_load(path.read_text()) for path in sorted(folder.glob("*.yaml"))]


def test_a_gap_becomes_a_card_in_one_commit_of_its_own(evolved: Repository) -> None:
    (card, *_) = _cards(evolved)
    assert card["status"] == "provisional" and "hedges" in card["formula"]
    assert card["gap"] in ("v003: the score fell", "v004: the score fell")
    (commit,) = evolved.git("log", "--format=%H %s", "campaign/c", "--", "harness/r02/revision.json").splitlines()
    assert f"provisional {card['name']}" in commit
    changed = evolved.git("show", "--name-only", "--format=", commit.split()[0]).split()
    assert all(path.startswith("harness/r02/") for path in changed)
    assert f"harness/r02/plugins/{card['name']}.yaml" in changed and "harness/r02/dvc.lock" in changed


def test_the_next_generation_is_judged_by_it_and_the_one_before_was_not(evolved: Repository) -> None:
    versions = evolved.campaign() / "versions"
    specs = {name: json.loads((versions / name / "spec.json").read_text()) for name in ("v004", "v005")}
    assert {name: spec["harness_revision"] for name, spec in specs.items()} == {"v004": "", "v005": "r02"}
    frozen = versions / "v005" / "inputs" / "plugins" / "evolved"
    assert load_cards(frozen) == load_cards(evolved.campaign() / "harness" / "r02" / "plugins") != []
    revision = CampaignFiles(evolved.campaign()).revision("r02").revision.read()
    harness = load_config(evolved.campaign() / "conf" / "campaign.yaml").harness
    assert Harness(frozen.parent, harness).version == revision.harness_version


def test_the_revision_is_up_to_date_and_the_same_command_changes_nothing(evolved: Repository) -> None:
    changed = json.loads(evolved.dvc(evolved.campaign(), "status", "--json", "--with-deps", "harness/r02/dvc.yaml"))
    assert changed == {}
    shown = evolved.dvc(evolved.campaign(), "repro", "harness/r02/dvc.yaml")
    assert "Running stage" not in shown
    before = evolved.git("rev-parse", "campaign/c")
    evolved.run("campaign", "run", "c", *SETTINGS)
    assert evolved.git("rev-parse", "campaign/c") == before
    assert Repository(evolved.campaign()).git("status", "--porcelain") == ""


def test_status_lineage_and_harness_tell_of_it(evolved: Repository) -> None:
    (card, *_) = _cards(evolved)
    assert "harness: evolving, r03: " in evolved.run("campaign", "status", "c").stdout
    assert " r02" in evolved.run("lineage", "c").stdout
    told = evolved.run("harness", "c").stdout
    assert card["name"] in told and card["gap"] in told and "good, 2 bad" in told
    found = evolved.json("harness", "c")
    assert isinstance(found, dict) and [one["revision"] for one in found["revisions"]] == ["r02", "r03"]
