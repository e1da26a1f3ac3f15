"""What DVC is spared: the same bytes in dvc.lock, and no change of a folder that goes unseen."""

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import dvc.output
import pytest
import yaml
from dvc.repo import Repo
from dvc.repo.reproduce import reproduce
from dvc.stage import Stage

from flows.workspace.git import git
from tasks.running.dvc_shortcuts import remember_hashes, write_lock

STAGES = {
    "first": {"cmd": "mkdir -p out && cp code/a.txt out/é.txt", "deps": ["code"], "outs": ["out"]},
    "second": {
        "cmd": "cat out/* > 'a long name' && wc 'a long name'",
        "deps": ["code", "out"],
        "outs": [{"a long name": {"cache": False}}],
    },
}


@pytest.fixture
def repo(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Repo]:
    """A DVC repository with two stages that read a folder of code."""
    git(tmp_path, "init", "--quiet")
    Repo.init(str(tmp_path)).close()
    (tmp_path / "code" / "inner").mkdir(parents=True)
    for name in ("a.txt", "inner/b.txt"):
        (tmp_path / "code" / name).write_text("one")
    (tmp_path / "outside").write_text("one")
    (tmp_path / "code" / "link").symlink_to(tmp_path / "outside")
    (tmp_path / "dvc.yaml").write_text(yaml.safe_dump({"stages": STAGES}))
    monkeypatch.chdir(tmp_path)
    with Repo() as opened:
        yield opened


@pytest.fixture
def counted(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Names of the folders that DVC hashed itself, with the shortcut in place."""
    calls: list[str] = []
    build = dvc.output.build

    def counting(odb: Any, path: str, *rest: Any, **options: Any) -> Any:
        calls.append(Path(path).name)
        return build(odb, path, *rest, **options)

    monkeypatch.setattr(dvc.output, "build", counting)
    remember_hashes()
    return calls


def stage_of(repo: Repo, name: str) -> Stage:
    return repo.stage.load_one(name=name)


def test_a_lock_has_the_bytes_that_dvc_writes(repo: Repo) -> None:
    reproduce(repo)
    lock = Path(repo.root_dir) / "dvc.lock"
    written = lock.read_bytes()
    lock.unlink()
    for stage in [stage_of(repo, name) for name in STAGES]:
        stage.save()
        write_lock(stage)
    assert lock.read_bytes() == written
    write_lock(stage)
    assert lock.read_bytes() == written


def test_a_folder_is_hashed_once(repo: Repo, counted: list[str]) -> None:
    reproduce(repo)
    assert counted.count("code") == 1


@pytest.mark.parametrize(
    "change",
    [
        lambda code: (code / "inner" / "b.txt").write_text("two"),
        lambda code: (code / "inner" / "c.txt").write_text("one"),
        lambda code: (code / "a.txt").unlink(),
        lambda code: (code / "a.txt").rename(code / "z.txt"),
        lambda code: (code.parent / "outside").write_text("two"),
    ],
    ids=["edited", "added", "removed", "renamed", "edited behind a link"],
)
def test_a_change_of_a_folder_is_seen(repo: Repo, counted: list[str], change: Callable[[Path], object]) -> None:
    before = stage_of(repo, "first").deps[0].get_hash().value
    change(Path(repo.root_dir) / "code")
    after = stage_of(repo, "first").deps[0].get_hash().value
    assert before != after
    assert counted.count("code") == 2
