"""Reproduction: in a fresh clone with only the remote, by force, and when the bytes do not come out the same."""

import hashlib
import json
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from evotrainer.config.code import reference
from tests.integration.conftest import Repository

pytestmark = pytest.mark.slow


def clone(finished: Repository, place: Path) -> Repository:
    subprocess.run(["git", "clone", "--quiet", str(finished.root), str(place)], check=True)
    return Repository(place)


def test_a_fresh_clone_with_only_the_remote_recomputes_identically_without_a_persons_file(
    finished: Repository, tmp_path: Path
) -> None:
    fresh, folder = clone(finished, tmp_path / "clone"), "conf/intervention"
    source = (fresh.root / folder / "brief_answers.py").read_text()
    name = reference(source).removeprefix("file:")
    kept = fresh.git("ls-tree", "-r", "--name-only", "version/c/v003").splitlines()
    assert {f"versions/v003/code/{name}.py", "versions/v003/inputs/interventions/brief_answers.py"} <= set(kept)
    index = json.loads(fresh.git("show", "version/c/v003:versions/v003/code/index.json"))
    assert index == {"reward.code": reference(source)}
    assert json.loads(fresh.git("show", "version/c/v001:versions/v001/code/index.json")) == {}

    def remove(root: Path) -> None:
        for suffix in (".py", ".yaml"):
            (root.parents[1] / folder / f"brief_answers{suffix}").unlink()

    retag(fresh, "v003", remove)
    shown = fresh.json("reproduce", "c", "v003", "--force", "--remote", str(finished.root / "storage"))
    assert isinstance(shown, dict)
    assert shown == {
        "campaign": "c",
        "version": "v003",
        "difference": None,
        "is_reproduced": True,
        "changed": {},
        "stages_run": ["rollout", "diagnose", "propose", "backtest", "train", "evaluate"],
    }
    assert fresh.git("worktree", "list").count("\n") == 1


def test_without_force_nothing_has_to_run(finished: Repository) -> None:
    shown = finished.run("reproduce", "c", "3")
    assert "stages run: none, nothing had changed" in shown.stdout and len(shown.stdout.splitlines()) < 5
    assert "identical" in shown.stdout


def test_difference_is_named_by_its_first_line(finished: Repository, tmp_path: Path) -> None:
    fresh = clone(finished, tmp_path / "clone")

    def forge(root: Path) -> None:
        verdict = root / "verdict.json"
        verdict.write_text(verdict.read_text().replace('"outcome": "kept"', '"outcome": "promoted"'))

    retag(fresh, "v002", forge)
    shown = fresh.run("reproduce", "c", "v002", "--remote", str(finished.root / "storage"), status=1)
    assert 'versions/v002/verdict.json, line 11 differs: recorded `"outcome": "promoted",`' in shown.stdout


def test_an_object_altered_in_cache_and_remote_is_named(finished: Repository, tmp_path: Path) -> None:
    storage = tmp_path / "storage"
    shutil.copytree(finished.root / "storage", storage)
    recorded = hashlib.md5((finished.campaign("c") / "versions/v002/model/model.safetensors").read_bytes()).hexdigest()
    stored = storage / "files/md5" / recorded[:2] / recorded[2:]
    stored.chmod(0o644)
    altered = bytearray(stored.read_bytes())
    altered[-1] ^= 1
    stored.write_bytes(altered)
    cloned = clone(finished, tmp_path / "clone")
    shown = cloned.run("reproduce", "c", "v002", "--remote", str(storage), status=1)
    assert "versions/v002/model holds other bytes than versions/v002/dvc.lock records" in shown.stdout
    assert "name an intact remote with --remote" in shown.stdout
    mended = cloned.run("reproduce", "c", "v002", "--remote", str(finished.root / "storage"))
    assert "identical" in mended.stdout, "the damaged object left the cache"


def retag(repository: Repository, version: str, change: Callable[[Path], None]) -> None:
    """Move the tag of a closed version to a commit in which `change` was made to its folder."""
    repository.git("checkout", "--quiet", "--detach", f"version/c/{version}")
    change(repository.root / "versions" / version)
    repository.git("-c", "user.name=a", "-c", "user.email=a@b", "commit", "--quiet", "-am", "changed")
    repository.git("tag", "--force", f"version/c/{version}")
    repository.git("checkout", "--quiet", "main")


def test_a_receipt_tells_which_packages_differ(finished: Repository, tmp_path: Path) -> None:
    fresh = clone(finished, tmp_path / "clone")
    arguments = ("reproduce", "c", "v001", "--remote", str(finished.root / "storage"))

    def edit(root: Path) -> None:
        receipt = json.loads((root / "receipt.json").read_text())
        receipt["packages"] |= {"numpy": "0.1", "gone": "1"}
        (root / "receipt.json").write_text(json.dumps(receipt))

    committed = json.loads(finished.git("show", "version/c/v001:versions/v001/receipt.json"))
    assert committed["commit"] == finished.git("log", "-1", "--format=%H", "main", "--", "flows").strip()
    retag(fresh, "v001", edit)
    shown = fresh.run(*arguments).stdout
    assert "packages and machine: numpy 0.1 -> " in shown and "gone 1 -> none" in shown
    assert "identical: dvc.lock and verdict.json" in shown
