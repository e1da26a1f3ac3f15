"""Reproduction: in a fresh clone with only the remote, by force, and when the bytes do not come out the same."""

import subprocess
from pathlib import Path

from tests.integration.conftest import Repository


def clone(finished: Repository, place: Path) -> Repository:
    subprocess.run(["git", "clone", "--quiet", str(finished.root), str(place)], check=True)
    return Repository(place)


def test_fresh_clone_with_only_the_remote_recomputes_identically(finished: Repository, tmp_path: Path) -> None:
    fresh = clone(finished, tmp_path / "clone")
    shown = fresh.json("reproduce", "c", "v003", "--force", "--remote", str(finished.root / "storage"))
    assert shown == {
        "campaign": "c",
        "version": "v003",
        "is_identical": True,
        "difference": None,
        "stages_run": ["rollout", "diagnose", "propose", "backtest", "train", "evaluate"],
    }
    assert fresh.git("worktree", "list").count("\n") == 1


def test_without_force_nothing_has_to_run(finished: Repository) -> None:
    shown = finished.run("reproduce", "c", "3")
    assert "0 stages were run: nothing had changed" in shown.stdout
    assert "identical" in shown.stdout


def test_difference_is_named_by_its_first_line(finished: Repository, tmp_path: Path) -> None:
    fresh = clone(finished, tmp_path / "clone")
    fresh.git("checkout", "--quiet", "--detach", "version/c/v002")
    verdict = fresh.root / "versions" / "v002" / "verdict.json"
    verdict.write_text(
        verdict.read_text()
        .replace('"outcome": "kept"', '"outcome": "promoted"')
        .replace('"outcome":"kept"', '"outcome":"promoted"')
    )
    fresh.git("-c", "user.name=a", "-c", "user.email=a@b", "commit", "--quiet", "-am", "forged")
    fresh.git("tag", "--force", "version/c/v002")
    fresh.git("checkout", "--quiet", "main")
    shown = fresh.run("reproduce", "c", "v002", "--force", "--remote", str(finished.root / "storage"), status=1)
    assert 'versions/v002/verdict.json, line 3 differs: recorded `"outcome": "promoted",`' in shown.stdout


def test_version_that_is_not_closed_is_refused_with_those_that_are(finished: Repository) -> None:
    shown = finished.run("reproduce", "c", "v009", status=1)
    assert shown.stderr == "error: v009 of campaign 'c' is not closed; closed versions: v000, v001, v002, v003\n"
