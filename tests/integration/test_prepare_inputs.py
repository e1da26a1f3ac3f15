"""Where a campaign's problem sets come from: the files of its own code, compared with what is recorded."""

import asyncio

import pytest

from evotrainer.campaign.layout import CampaignFiles
from evotrainer.domains.problem_sets.check import is_as_recorded
from evotrainer.errors import DataError
from flows.workspace.prepare_inputs import ensure_data
from tasks.running.dvc import close_workers
from tests.integration.conftest import Repository, create

pytestmark = pytest.mark.slow


def test_problem_sets_are_those_of_the_code_and_are_refused_where_they_are_not_as_recorded(
    repository: Repository,
) -> None:
    root = create(repository.root, "c").root
    try:
        asyncio.run(ensure_data(root))
        assert is_as_recorded(CampaignFiles(root))
        (root / "data" / "math" / "train.jsonl").write_text("altered\n")
        asyncio.run(ensure_data(root))
        assert is_as_recorded(CampaignFiles(root)) and is_as_recorded(CampaignFiles(repository.root))
        record = root / "data.dvc"
        record.write_text(record.read_text().replace("md5: ", "md5: 0"))
        with pytest.raises(DataError, match=r"has the hash \w+.dir, and data.dvc records 0\w+.dir"):
            asyncio.run(ensure_data(root))
    finally:
        close_workers(root)


def test_data_build_restores_what_the_checkout_lacks_or_holds_altered(repository: Repository) -> None:
    assert "is up to date" in repository.run("data", "build").stdout
    path = repository.root / "data" / "math" / "train.jsonl"
    path.write_text(path.read_text().replace("+", "-", 1))
    assert "was altered" in repository.run("data", "check", status=1).stderr
    assert "is built as recorded" in repository.run("data", "build").stdout
    assert "is up to date" in repository.run("data", "build").stdout
    checked = repository.json("data", "check")
    assert isinstance(checked, dict) and checked["math"]["num_problems"]["train"] == 3000
