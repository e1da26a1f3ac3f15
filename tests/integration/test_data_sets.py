import asyncio
import json
import shutil
from pathlib import Path

import pytest
import yaml

from evotrainer.campaign.layout import CampaignFiles
from evotrainer.domains.frozen import policy_names, unpack_policy
from evotrainer.domains.problem_sets.check import build, check, check_splits, directory_hash, is_as_recorded
from evotrainer.domains.problem_sets.loading import split_rows
from evotrainer.domains.problem_sets.overlap import read_demonstrated
from evotrainer.engines.checkpoint import policy_hash
from evotrainer.errors import ConfigError, DataError
from evotrainer.records.base import HELD
from flows.workspace.prepare_inputs import ensure_data
from tasks.running.stage_process import let_cool
from tests.integration.conftest import Repository, create

pytestmark = pytest.mark.slow


ROOT = Path(__file__).parents[2]
BUILT_IN = {
    "math": {"train": 3000, "probe": 240, "validation": 240, "test": 400, "holdout": 400},
    "code": {"train": 1800, "probe": 120, "validation": 240, "test": 400, "holdout": 400},
    "swe": {"train": 600, "probe": 64, "validation": 160, "test": 200, "holdout": 200},
}
"""Problems by split."""
BASE_POLICIES = {"tiny_code": "5b6249bc0dd767b2", "tiny_math": "fa8f9bc86be7ae4b", "tiny_swe": "d09d999da5cc9ecf"}
"""Their hashes, on any machine."""


@pytest.fixture(scope="module")
def data():
    """What set-up built: the problem sets of this checkout."""
    return ROOT / "data"


@pytest.fixture
def copy(data, tmp_path):
    return Path(shutil.copytree(data, tmp_path / "data"))


def append(path, row):
    with path.open("a") as stream:
        stream.write(json.dumps(row) + "\n")


def recorded():
    return yaml.safe_load((ROOT / "data.dvc").read_text())["outs"][0]


def test_the_hash_is_the_one_that_dvc_computes(data, tmp_path):
    from dvc_data.hashfile.build import build as dvc_build
    from dvc_data.hashfile.db import HashFileDB
    from dvc_objects.fs import LocalFileSystem

    files = LocalFileSystem()
    database = HashFileDB(files, str(tmp_path))
    _, _, tree = dvc_build(database, str(data), files, "md5", dry_run=True)
    assert tree.hash_info.value == directory_hash(data)


def test_rebuilding_repeats_bit_by_bit_replaces_files_and_leaves_linked_ones_alone(copy):
    train = copy / "math" / "train.jsonl"
    cached = copy.parent / "cached"
    cached.hardlink_to(train)
    cached.write_text("altered\n")
    assert build(copy) == directory_hash(copy) == recorded()["md5"]
    assert cached.read_text() == "altered\n"


def test_what_is_there_is_the_recorded_build_and_passes_the_check(data):
    assert sum(path.stat().st_size for path in data.rglob("*.jsonl")) == recorded()["size"]
    counts = check(data, recorded()["md5"])
    assert counts == BUILT_IN


def test_no_problem_of_a_built_in_set_is_in_two_splits(data):
    for domain in BUILT_IN:
        rows = [row for members in split_rows(data / domain, domain).values() for row in members]
        assert len(rows) == len({row.identity for row in rows}) == len({row.row_id for row in rows})


def test_a_persons_reworded_text_and_reused_id_are_found_across_splits(tmp_path):
    text = (
        "A train leaves the station at nine in the morning and travels for three hours at sixty miles an hour; "
        "then it waits for ten minutes and returns at half that speed: how far from its start is it at noon?"
    )
    append(tmp_path / "train.jsonl", {"id": "a", "problem": text, "answer": "180"})
    append(tmp_path / "test.jsonl", {"id": "b", "problem": text.replace("station", "harbour"), "answer": "180"})
    append(tmp_path / "test.jsonl", {"id": "a", "problem": "How far away is the moon tonight?", "answer": "1"})
    with pytest.raises(DataError, match="2 pairs of problems cross splits") as caught:
        check_splits(tmp_path, split_rows(tmp_path, "math"))
    assert "same id" in str(caught.value)
    assert "nearly the same text" in str(caught.value)


def test_base_policies_are_the_same_on_every_machine(tmp_path):
    for name in policy_names():
        unpack_policy(name, tmp_path / name)
    assert {name: policy_hash(tmp_path / name) for name in policy_names()} == BASE_POLICIES
    with pytest.raises(ConfigError, match="choose one of tiny_code, tiny_math, tiny_swe"):
        unpack_policy("huge_math", tmp_path / "huge")


@pytest.mark.parametrize("domain", BUILT_IN)
def test_no_problem_that_is_judged_on_was_demonstrated_to_a_base_policy(data, tmp_path, domain):
    unpack_policy(f"tiny_{domain}", tmp_path)
    rows = split_rows(data / domain, domain)
    shown = set(read_demonstrated(tmp_path))
    assert len(shown) > 1000 and not shown & {row.identity for split in HELD for row in rows[split]}


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
        let_cool(root)


def test_data_build_restores_what_the_checkout_lacks_or_holds_altered(repository: Repository) -> None:
    assert "is up to date" in repository.run("data", "build").stdout
    path = repository.root / "data" / "math" / "train.jsonl"
    path.write_text(path.read_text().replace("+", "-", 1))
    assert "was altered" in repository.run("data", "check", status=1).stderr
    assert "is built as recorded" in repository.run("data", "build").stdout
    assert "is up to date" in repository.run("data", "build").stdout
    checked = repository.json("data", "check")
    assert isinstance(checked, dict) and checked["math"]["num_problems"]["train"] == 3000
