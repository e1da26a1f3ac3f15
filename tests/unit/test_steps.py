"""The order of a campaign: open versions first, then a due revision, then the next generation."""

from dataclasses import dataclass, field
from pathlib import Path

import pytest

from conf.compose import compose_campaign, write_campaign
from evotrainer.campaign.layout import CampaignFiles
from evotrainer.campaign.repository import StoredVersion, open_versions
from evotrainer.campaign.subjects import Subject
from evotrainer.errors import LineageError
from tasks.plan import stage as plan
from tasks.plan.steps import Plan, Run, campaign_steps, stages_of
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
        StoredVersion(files.version(version)).spec.write(record(version, "").spec)


def test_a_campaign_plans_runs_and_ends_where_nothing_is_planned(files: CampaignFiles) -> None:
    closed, seen = Closed(), []
    for step in campaign_steps(files, closed):
        seen.append(step)
        if step == Plan(Subject.version("v000")):
            _write_open(files, "v000")
        if isinstance(step, Run):
            closed.names |= {subject.name for subject in step.subjects}
    assert seen == [Plan(Subject.version("v000")), Run((Subject.version("v000"),)), Plan(Subject.version("v001"))]


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


def test_stages_are_those_of_the_pipeline_that_planning_wrote(tmp_path: Path) -> None:
    files = write_evolving_campaign(tmp_path, ["good", "good", "bad", "bad"], num_groups=2)
    plan.run(files, "r04")
    assert stages_of(files, Subject.revision("r04")) == ["evolve"]


def test_a_base_policy_has_no_pipeline_to_plan(files: CampaignFiles) -> None:
    with pytest.raises(LineageError, match="'tiny_math' has no pipeline to plan"):
        plan.run(files, "tiny_math")
