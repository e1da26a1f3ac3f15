"""Evaluated campaigns on a real tiny policy, and a campaign at its propose stage beside a model's endpoint."""

import shutil
from pathlib import Path

import pytest

from evotrainer.agents.claude.access import VARIABLE
from evotrainer.campaign.layout import CampaignFiles
from evotrainer.records import Problem
from tasks import evaluate
from tests.claude_campaign import KEY, open_campaign, with_trainer
from tests.evaluated_campaign import Campaign
from tests.messages_server import serving


@pytest.fixture(scope="session")
def campaign(
    tmp_path_factory: pytest.TempPathFactory, digit_policy: Path, sharper_policy: Path, digit_problems: list[Problem]
) -> Campaign:
    """v000 and a better v001, both evaluated."""
    made = Campaign(tmp_path_factory.mktemp("evaluate") / "c", digit_policy, digit_problems)
    made.plan("v000", "base")
    evaluate.run(made.files, "v000")
    made.plan("v001", "baseline")
    made.train("v001", sharper_policy)
    evaluate.run(made.files, "v001")
    return made


@pytest.fixture
def copy(campaign: Campaign, tmp_path: Path) -> Campaign:
    """The campaign again, to change at will."""
    shutil.copytree(campaign.files.root, tmp_path / "c")
    changed = Campaign.__new__(Campaign)
    changed.files, changed.base, changed.config = CampaignFiles(tmp_path / "c"), campaign.base, campaign.config
    return changed


@pytest.fixture(scope="module")
def made(tmp_path_factory, digit_policy, digit_problems, lineage) -> Path:
    """A campaign at its propose stage, without an endpoint."""
    root = tmp_path_factory.mktemp("claude") / "c"
    return open_campaign(root, digit_policy, digit_problems, "http://127.0.0.1:9", lineage).root


@pytest.fixture
def endpoint(monkeypatch):
    monkeypatch.setenv(VARIABLE, KEY)
    with serving() as found:
        yield found


@pytest.fixture
def files(made, tmp_path, endpoint) -> CampaignFiles:
    shutil.copytree(made, tmp_path / "c", symlinks=True)
    return with_trainer(CampaignFiles(tmp_path / "c"), base_url=endpoint.url)
