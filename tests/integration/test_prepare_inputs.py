"""Where a campaign's problem sets come from: the cache, else the main checkout, else the files of the code."""

import asyncio
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from evotrainer.campaign.layout import CampaignFiles
from evotrainer.campaign.subjects import CAMPAIGN
from flows.workspace.data import is_as_recorded
from flows.workspace.prepare_inputs import ensure_data
from tasks.running.dvc import close_workers, run_action
from tasks.running.stage_process import log_path
from tests.integration.conftest import Repository, create

pytestmark = pytest.mark.slow


@contextmanager
def prepared(repository: Repository, name: str) -> Iterator[Path]:
    """A new campaign's checkout, its problem sets in place."""
    root = create(repository.root, name).root
    try:
        asyncio.run(ensure_data(root))
        assert is_as_recorded(CampaignFiles(root))
        yield root
    finally:
        close_workers(root)


def were_built(root: Path) -> bool:
    return log_path(root, CAMPAIGN, "data").exists()


def test_problem_sets_are_those_of_the_main_checkout_where_no_cache_has_them(repository: Repository) -> None:
    with prepared(repository, "c") as root:
        assert not were_built(root)
        path = root / "data" / "math" / "train.jsonl"
        path.write_text("of the campaign alone\n")
        assert is_as_recorded(CampaignFiles(repository.root))


def test_altered_problem_sets_of_the_main_checkout_are_not_taken_and_what_was_built_is_cached(
    repository: Repository,
) -> None:
    with (repository.root / "data" / "math" / "train.jsonl").open("a") as stream:
        stream.write("\n")
    with prepared(repository, "c") as root:
        assert were_built(root)
        asyncio.run(run_action(root, CAMPAIGN, "commit", target="data.dvc"))
    shutil.rmtree(repository.root / "data")
    with prepared(repository, "d") as root:
        assert not were_built(root)


def test_data_build_restores_what_cache_or_checkout_lack_or_hold_altered(repository: Repository) -> None:
    cache, data = repository.root / ".dvc" / "cache", repository.root / "data"
    num_objects = len({path.read_bytes() for path in data.rglob("*.jsonl")}) + 1
    assert f"{num_objects} objects that the cache {cache} lacked" in repository.run("data", "build").stdout
    assert "is up to date" in repository.run("data", "build").stdout
    shutil.rmtree(cache)
    assert f"{num_objects} objects" in repository.run("data", "build").stdout
    next(path for path in cache.rglob("*") if path.is_file()).unlink()
    assert "; 1 objects" in repository.run("data", "build").stdout
    shutil.rmtree(data)
    repository.dvc(repository.root, "checkout", "data.dvc")  # DVC itself finds every object sound
    assert is_as_recorded(CampaignFiles(repository.root))
    path = data / "math" / "train.jsonl"
    path.write_text(path.read_text().replace("+", "-", 1))
    assert "was altered" in repository.run("data", "check", status=1).stderr
    assert "is built as recorded" in repository.run("data", "build").stdout
    checked = repository.json("data", "check")
    assert isinstance(checked, dict) and checked["math"]["num_problems"]["train"] == 3000
