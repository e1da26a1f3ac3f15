"""The hash of a policy's directory: of names and bytes, read once and again after every change."""

import os
import time
from pathlib import Path

import pytest

from evotrainer.engines import checkpoint
from evotrainer.engines.checkpoint import policy_hash

WAIT_SECONDS = 2 * checkpoint._TIMES_TELL_NS / 1e9


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "model.safetensors").write_bytes(b"first")
    (tmp_path / "config.json").write_text("{}")
    return tmp_path


@pytest.fixture
def reads(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The files that were opened."""
    opened, open_file = [], Path.open

    def noted(path: Path, *arguments: object, **named: object) -> object:
        opened.append(path.name)
        return open_file(path, *arguments, **named)  # pyright: ignore[reportCallIssue, reportArgumentType]

    monkeypatch.setattr(Path, "open", noted)
    return opened


def test_a_directory_that_stood_still_is_read_once(folder: Path, reads: list[str]) -> None:
    time.sleep(WAIT_SECONDS)  # its times must lie behind the first reading for a change to show in them
    assert policy_hash(folder) == policy_hash(folder)
    assert sorted(reads) == ["config.json", "model.safetensors"]


def test_weights_of_equal_length_that_are_written_at_once_are_seen(folder: Path) -> None:
    found = {policy_hash(folder)}
    for number in range(50):
        (folder / "model.safetensors").write_bytes(b"%05d" % number)
        found.add(policy_hash(folder))
    assert len(found) == 51


@pytest.mark.parametrize("back", [True, False])
def test_weights_that_are_written_later_are_seen_also_with_the_earlier_time(folder: Path, back: bool) -> None:
    time.sleep(WAIT_SECONDS)  # as above
    first, times = policy_hash(folder), (folder / "model.safetensors").stat()
    (folder / "model.safetensors").write_bytes(b"other")
    if back:
        os.utime(folder / "model.safetensors", ns=(times.st_atime_ns, times.st_mtime_ns))
    assert policy_hash(folder) != first


def test_a_file_that_comes_or_goes_is_seen(folder: Path) -> None:
    time.sleep(WAIT_SECONDS)  # as above
    first = policy_hash(folder)
    (folder / "extra.json").write_text("")
    assert policy_hash(folder) != first
    (folder / "extra.json").unlink()
    (folder / ".hidden").write_text("no part of it")
    assert policy_hash(folder) == first
