"""Evaluated campaigns on a real tiny policy."""

import shutil
from pathlib import Path

import pytest

from evotrainer.campaign.layout import CampaignFiles
from evotrainer.records import Problem
from tasks.evaluate import stage as evaluate
from tests.evaluated_campaign import Campaign


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
