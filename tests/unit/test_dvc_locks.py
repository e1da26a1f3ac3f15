"""A dvc.lock that was cut short is put back from its copy; one that goes on where the copy ends stays."""

from pathlib import Path

import pytest
import yaml

from evotrainer.campaign.subjects import Subject
from tasks.running.dvc_locks import keep_lock, restore_locks

VERSION = Subject.version("v003")


def stage(name: str) -> dict[str, object]:
    entry = {"path": name, "hash": "md5", "md5": "0a" * 16}
    return {"cmd": name, "deps": [entry], "outs": [entry]}


def write(root: Path, *stages: str) -> Path:
    lock = root / VERSION.folder / "dvc.lock"
    lock.parent.mkdir(parents=True, exist_ok=True)
    lock.write_text(yaml.safe_dump({"schema": "2.0", "stages": {name: stage(name) for name in stages}}))
    return lock


@pytest.mark.parametrize("share", [0.0, 0.3, 0.6, 0.9, 0.97])
def test_a_lock_that_was_cut_short_is_the_copy_again(tmp_path: Path, share: float) -> None:
    lock = write(tmp_path, "rollout", "diagnose")
    keep_lock(tmp_path, VERSION)
    whole = lock.read_bytes()
    lock.write_bytes(whole[: int(share * len(whole))])
    assert restore_locks(tmp_path) == [lock]
    assert lock.read_bytes() == whole


def test_a_lock_that_was_not_copied_yet_stays(tmp_path: Path) -> None:
    write(tmp_path, "rollout")
    keep_lock(tmp_path, VERSION)
    later = write(tmp_path, "rollout", "diagnose")
    assert restore_locks(tmp_path) == []
    assert "diagnose" in later.read_text()


def test_a_first_lock_that_was_cut_short_is_removed(tmp_path: Path) -> None:
    lock = write(tmp_path, "rollout")
    lock.write_text("schema: '2.0'\nstages:\n  rollout:\n    cmd: roll\n    deps:\n    - pa")
    assert restore_locks(tmp_path) == [lock]
    assert not lock.exists()
