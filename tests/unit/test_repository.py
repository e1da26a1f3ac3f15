"""Reading and writing a version: whole files, stable bytes, errors with the remedy, locks with their holder."""

import errno
import json
import multiprocessing
import os
from pathlib import Path

import pytest

from evotrainer.campaign.documents import new_folder, replacing, write_atomic, write_json_atomic
from evotrainer.campaign.layout import CAMPAIGN, CERTIFICATE, CampaignFiles, Subject, SubjectKind, parse_version
from evotrainer.campaign.ledger import note_cost, write_tokens
from evotrainer.campaign.locks import claim_lock, lock_holder, wait_for_lock
from evotrainer.campaign.repository import read_costs
from evotrainer.errors import LineageError
from tasks.running.dvc import stage_target


@pytest.mark.parametrize("name", ["spec", "verdict"])
def test_a_getter_names_a_missing_and_a_damaged_file_with_the_remedy(tmp_path: Path, name: str) -> None:
    document = getattr(CampaignFiles(tmp_path).version("v003"), name)
    assert not document.exists() and document.find() is None
    with pytest.raises(LineageError, match=rf"v003/{document.path.name} does not exist: run the stage that writes it"):
        document.read()
    write_atomic(document.path, "{")
    for read in (document.read, document.find):
        with pytest.raises(LineageError, match=rf"{document.path.name} is damaged .*: restore it with git, or run its"):
            read()


def test_a_write_that_the_disk_refuses_says_of_which_file(tmp_path: Path) -> None:
    with pytest.raises(OSError, match="lock.json"), replacing(tmp_path / "lock.json"):
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))  # as a write raises it


def test_a_write_that_fails_leaves_the_old_file_and_nothing_else(tmp_path: Path) -> None:
    path = tmp_path / "sub" / "values.json"
    write_json_atomic(path, {"b": 1, "a": 2})
    assert path.read_text() == '{\n "a": 2,\n "b": 1\n}\n'
    with pytest.raises(ValueError, match="not JSON compliant"):
        write_json_atomic(path, {"a": float("nan")})
    assert json.loads(path.read_text()) == {"a": 2, "b": 1}
    with pytest.raises(RuntimeError), new_folder(tmp_path / "made") as partial:
        (partial / "half").touch()
        raise RuntimeError
    assert not (tmp_path / "made").exists()
    with new_folder(tmp_path / "made") as partial:
        (partial / "whole").touch()
    assert [path.name for path in (tmp_path / "made").iterdir()] == ["whole"]
    assert sorted(path.name for path in tmp_path.iterdir()) == ["made", "sub"]


def test_costs_are_added_to_what_a_stage_wrote(tmp_path: Path) -> None:
    files = CampaignFiles(tmp_path)
    version = files.version("v001")
    write_tokens(version, "train", 200)
    note_cost(files, Subject.version("v001"), "train", {"seconds": 1.5})
    note_cost(files, Subject.version("v001"), "plan", {"seconds": 0.5})
    assert read_costs(version.costs) == {"plan_seconds": 0.5, "train_seconds": 1.5, "train_tokens": 200.0}
    note_cost(files, Subject.version("v002"), "plan", {"seconds": 0.5})  # nothing was planned
    note_cost(files, CAMPAIGN, "report", {"seconds": 0.5})
    assert not files.version("v002").root.exists() and not (tmp_path / "costs").exists()
    files.certificate.mkdir()
    note_cost(files, CERTIFICATE, "certify", {"seconds": 2.0})
    assert read_costs(files.certificate / "costs") == {"certify_seconds": 2.0}


def _hold(path: Path, held: "multiprocessing.synchronize.Event", release: "multiprocessing.synchronize.Event") -> None:
    with claim_lock(path, "campaign 'c'"):
        held.set()
        release.wait(60)


def test_a_lock_names_its_holder_and_ends_with_it(tmp_path: Path) -> None:
    path, context = tmp_path / "locks" / "c.lock", multiprocessing.get_context("spawn")
    held, release = context.Event(), context.Event()
    other = context.Process(target=_hold, args=(path, held, release))
    assert lock_holder(path) is None
    other.start()
    assert held.wait(60) and lock_holder(path) == other.pid
    with (
        pytest.raises(LineageError, match=rf"campaign 'c' is already running \(pid {other.pid}\): wait for it"),
        claim_lock(path, "campaign 'c'"),
    ):
        pass
    other.kill()
    other.join()
    assert lock_holder(path) is None
    with claim_lock(path, "campaign 'c'"), claim_lock(path, "campaign 'c'"), wait_for_lock(tmp_path / "memory.lock"):
        assert lock_holder(path) == os.getpid()
    assert lock_holder(path) is None


@pytest.mark.parametrize("text", ["v3", "3", "v003", " v003 "])
def test_a_typed_version_has_one_name(text):
    assert parse_version(text) == "v003"


@pytest.mark.parametrize("text", ["", "three", "v", "v1234", "v-1"])
def test_what_is_no_version_is_refused(text):
    with pytest.raises(LineageError, match="v003"):
        parse_version(text)


def test_versions_are_listed_in_order_once_they_have_a_spec(tmp_path):
    files = CampaignFiles(tmp_path)
    for name in ["v002", "v000", "v001"]:
        files.version(name).root.mkdir(parents=True)
    files.version("v002").spec.path.write_text("{}")
    files.version("v000").spec.path.write_text("{}")
    assert files.version_names() == ["v000", "v002"]


def test_revisions_are_in_order_beyond_the_hundredth(tmp_path):
    files = CampaignFiles(tmp_path)
    for name in ("r100", "r11", "r99", "r101"):
        folder = files.revision(name).plugins
        folder.mkdir(parents=True)
        if name != "r101":
            (folder.parent / "revision.json").write_text("{}")
    assert files.revision_names() == ["r11", "r99", "r100"]
    assert files.evolved_plugins == files.revision("r100").plugins


@pytest.mark.parametrize(
    ("name", "kind", "target"),
    [
        ("v003", SubjectKind.VERSION, "versions/v003/dvc.yaml:train"),
        ("v1000", SubjectKind.VERSION, "versions/v1000/dvc.yaml:train"),
        ("r03", SubjectKind.REVISION, "harness/r03/dvc.yaml:train"),
        ("certificate", SubjectKind.CERTIFICATE, "certificate/dvc.yaml:train"),
        ("tiny_math", SubjectKind.POLICY, "dvc.yaml:train@tiny_math"),
        ("v3-large", SubjectKind.POLICY, "dvc.yaml:train@v3-large"),
    ],
)
def test_a_name_means_one_subject_with_one_pipeline(name: str, kind: SubjectKind, target: str) -> None:
    subject = Subject.parse(name)
    assert subject.kind is kind and str(subject) == name
    assert stage_target(subject, "train") == target
