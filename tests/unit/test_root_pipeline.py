"""The pipeline of the base policies names files that exist, and every embedded policy has its stage."""

from pathlib import Path

import yaml

from evotrainer.campaign.layout import CampaignFiles
from evotrainer.config import Config
from evotrainer.domains.frozen import policy_names
from evotrainer.records import VersionSpec
from tasks.plan.pipeline import version_stages

ROOT = Path(__file__).resolve().parents[2]
STAGE = yaml.safe_load((ROOT / "dvc.yaml").read_text())["stages"]["base_policy"]


def test_every_embedded_policy_has_a_stage():
    assert sorted(STAGE["foreach"]) == policy_names()


def test_every_dependency_of_a_base_policy_exists():
    for policy in STAGE["foreach"]:
        paths = [dep.replace("${item}", policy) for dep in STAGE["do"]["deps"]]
        assert [path for path in paths if not (ROOT / path).exists()] == []


def test_the_code_that_a_versions_stages_depend_on_exists():
    spec = VersionSpec(
        campaign="c",
        version="v001",
        generation=1,
        slot=0,
        kind="baseline",
        parents=["v000"],
        incumbent="v000",
        campaign_seed=0,
    )
    for stage in version_stages(CampaignFiles(ROOT), Config(), spec, []):
        code = [dep for dep in stage.as_dvc("v001", ".")["deps"] if dep.startswith("./")]
        assert code
        assert [path for path in code if not (ROOT / path).exists()] == []
