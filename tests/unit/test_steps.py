"""The order of a campaign: open versions, a due revision, the next generation; what is shared and what is pushed."""

import json
import shutil
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from conf.compose import compose_campaign, write_campaign
from evotrainer.campaign.layout import CampaignFiles, Subject
from evotrainer.campaign.repository import open_versions, save_config
from evotrainer.config import load_config
from evotrainer.errors import LineageError
from flows.workspace.finish_version import push_targets
from flows.workspace.worktree import Workspace
from tasks import plan
from tasks.plan import write_generation
from tasks.plan.steps import Plan, Run, campaign_steps
from tests.campaign_writer import fill
from tests.evolving_campaign import record
from tests.evolving_campaign import write_campaign as write_evolving_campaign


@dataclass
class Closed:
    """Names of what is finished."""

    names: set[str] = field(default_factory=set)

    def closed_versions(self) -> set[str]:
        return self.names

    def has_revision(self, revision: str) -> bool:
        return revision in self.names


@pytest.fixture
def files(tmp_path: Path) -> CampaignFiles:
    files = CampaignFiles(tmp_path / "c")
    write_campaign(files, compose_campaign(["num_versions=1", "harness=static"]))
    return files


def _write_open(files: CampaignFiles, *versions: str) -> None:
    for version in versions:
        files.version(version).spec.write(record(version, "").spec)


def test_open_versions_are_run_before_anything_is_planned(files: CampaignFiles) -> None:
    _write_open(files, "v000", "v001", "v002")
    closed = Closed({"v000"})
    assert open_versions(files, closed.closed_versions()) == ["v001", "v002"]
    assert next(campaign_steps(files, closed)) == Run((Subject.version("v001"), Subject.version("v002")))


def test_a_generation_that_was_cut_short_is_completed_before_any_of_it_runs(files: CampaignFiles) -> None:
    _write_open(files, "v000", "v001")
    (files.root / "scratch" / "generation").mkdir(parents=True)
    assert next(campaign_steps(files, Closed({"v000"}))) == Plan(Subject.version("v002"))


def test_a_due_revision_comes_before_the_next_generation_and_only_once(tmp_path: Path) -> None:
    files = write_evolving_campaign(tmp_path, ["good", "good", "bad", "bad"], num_groups=2)
    closed = Closed(set(files.version_names()))
    steps = campaign_steps(files, closed)
    revision = Subject.revision("r04")
    assert [next(steps), next(steps)] == [Plan(revision), Run((revision,))]
    closed.names.add("r04")
    assert next(steps) == Plan(Subject.version("v005"))
    assert next(campaign_steps(files, closed)) == Plan(Subject.version("v005"))


def test_a_base_policy_has_no_pipeline_to_plan(files: CampaignFiles) -> None:
    with pytest.raises(LineageError, match="'tiny_math' has no pipeline to plan"):
        plan.run(files, "tiny_math")


PLUGINS = Path(__file__).parents[2] / "harness_plugins"


@pytest.mark.parametrize(("share", "source"), [("auto", "v008"), ("never", "")])
def test_a_version_takes_the_rollout_of_an_earlier_one_on_the_same_incumbent(campaign_writer, share, source):
    fill(campaign_writer)
    files = campaign_writer.files
    shutil.copytree(PLUGINS, files.root / "harness_plugins")
    shutil.copytree(Path(__file__).parents[2] / "conf", files.root / "conf", dirs_exist_ok=True)
    config = load_config(files.config)
    config.search.share_rollout, config.num_versions = share, 30
    save_config(files.config, config)
    tried = files.version("v008").spec
    tried.write(tried.read().model_copy(update={"incumbent": "v007"}))
    write_generation(files)
    new = [files.version(name).spec.read() for name in ("v009", "v010")]
    assert [(spec.incumbent, spec.shares.get("rollout", "")) for spec in new] == [("v007", source)] * 2


def test_a_plan_of_gear_shares_no_rollout_of_another_incumbent(campaign_writer):
    fill(campaign_writer)
    files = campaign_writer.files
    shutil.copytree(PLUGINS, files.root / "harness_plugins")
    shutil.copytree(Path(__file__).parents[2] / "conf", files.root / "conf", dirs_exist_ok=True)
    config = load_config(files.config)
    config.search.name, config.search.share_rollout, config.num_versions = "gear_evolve", "always", 30
    config.search.candidates_per_generation = 3
    save_config(files.config, config)
    write_generation(files)
    planned = [name for name in files.version_names() if not files.version(name).verdict.exists()]
    assert len(planned) == 3
    specs = [json.loads(files.version(name).spec.path.read_text()) for name in planned]
    first = {spec["incumbent"]: spec["version"] for spec in reversed(specs)}
    for spec in specs:
        expected = "" if first[spec["incumbent"]] == spec["version"] else first[spec["incumbent"]]
        assert spec["shares"].get("rollout", "") == expected


def test_the_certificate_goes_with_all_versions(tmp_path: Path) -> None:
    workspace = Workspace(tmp_path, "demo")
    for name in ("data.dvc", "dvc.yaml", "certificate/dvc.yaml", "imported/policy.dvc"):
        path = workspace.root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.touch()
    assert push_targets(workspace, ["v003"]) == ["versions/v003/dvc.yaml"]
    shared = ["data.dvc", "dvc.yaml", "imported/policy.dvc", "certificate/dvc.yaml"]
    assert push_targets(workspace, ["v000"]) == ["versions/v000/dvc.yaml", *shared]
    (workspace.root / "certificate/dvc.yaml").unlink()
    assert "certificate/dvc.yaml" not in push_targets(workspace, ["v000", "v001"])
