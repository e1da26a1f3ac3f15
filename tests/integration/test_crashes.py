"""A campaign that is killed where it hurts, and whose files are damaged, ends as one that was never disturbed."""

import os
import shutil
import signal
from pathlib import Path

import pytest

from flows.workspace.start_campaign import start_campaign
from tests.integration.conftest import SETTINGS, Repository
from tests.waiting import PATIENCE_SECONDS, wait_for

pytestmark = pytest.mark.slow

GIT = """#!/bin/sh
case "$*" in
    ${ORPHAN_AT:-nothing}) kill -9 $PPID; sleep 1 ;;
    ${KILL_AT:-nothing}) kill -9 $PPID; exit 1 ;;
    ${FULL_AT:-nothing}) echo "fatal: could not write: No space left on device" >&2; exit 128 ;;
esac
exec %s "$@"
"""
"""In place of git: kills the process that calls it, going on or not, or finds the disk full, where arguments match."""
KILLS = ["*symbolic-ref*", "*update-ref refs/heads/campaign*", "*tag*version/c/v001*"]
"""Before the branch begins, twice; after a version's commit and before its tag."""
WITHOUT = ("/costs/", "/receipt.json", "budget.json", "report/")
"""Clocks, costs and receipts differ between two runs of the same campaign."""


@pytest.fixture
def armed(repository: Repository, tmp_path: Path) -> Repository:
    """A scratch repository whose git can be told to strike."""
    programs = tmp_path / "bin"
    programs.mkdir()
    (programs / "git").write_text(GIT % shutil.which("git"))
    (programs / "git").chmod(0o755)
    repository.environment["PATH"] = f"{programs}{os.pathsep}{os.environ['PATH']}"
    return repository


def test_killed_and_damaged_a_campaign_ends_as_the_undisturbed_one(
    armed: Repository, finished: Repository, tmp_path: Path
) -> None:
    trained, evaluated = tmp_path / "trained", tmp_path / "evaluated"
    for folder in (trained, evaluated):
        folder.mkdir()
    told: dict[str, object] = {"train": {"started": str(trained)}}
    armed.tell_stages(**told)
    armed.environment["ORPHAN_AT"] = "*worktree add*"
    armed.run("campaign", "run", "c", *SETTINGS, status=-signal.SIGKILL)
    del armed.environment["ORPHAN_AT"]
    for point in KILLS:
        armed.environment["KILL_AT"] = point
        run = armed.start("campaign", "run", "c")
        error = run.communicate()[1]
        assert run.returncode == -signal.SIGKILL, error
        assert f"campaign 'c' was cut short: it begins anew, with {' '.join(SETTINGS)}" in error
    del armed.environment["KILL_AT"]
    armed.tell_stages(**told, evaluate={"started": str(evaluated), "until": str(tmp_path / "go")})
    kill_in_a_stage(armed, evaluated)
    damage(armed)

    armed.tell_stages(**told)
    run = armed.run("campaign", "run", "c")
    for line in (
        f"removed {armed.root / '.git' / 'worktrees' / 'c' / 'index.lock'}, which a killed git had left",
        "restored as committed: versions/v001/dvc.lock",
        "restored versions/v003/.gitignore, which did not name all outputs that DVC keeps",
        "removed versions/v002/dvc.lock, which was damaged: its stages run again",
        "restored from cache or remote: versions/v001/model",
        "restored from cache or remote: policies/tiny_math",
    ):
        assert line in run.stdout + run.stderr
    assert left_by(armed) == left_by(finished)
    assert leftovers(armed) == []
    assert len(list(trained.iterdir())) == 4, "the training whose record was damaged is repeated, and no other"


def test_stopped_from_another_terminal_a_campaign_ends_as_the_undisturbed_one(
    repository: Repository, finished: Repository, tmp_path: Path
) -> None:
    started = tmp_path / "started"
    started.mkdir()
    repository.tell_stages(train={"started": str(started), "until": str(tmp_path / "go")})
    flow = repository.start("campaign", "run", "c", *SETTINGS)
    try:
        wait_for(lambda: any(started.iterdir()) or flow.poll() is not None)
        stage = Path("/proc") / next(started.iterdir()).name
        assert repository.json("campaign", "stop", "c") == {"campaign": "c", "pid": flow.pid}
        out, error = flow.communicate(timeout=PATIENCE_SECONDS)
    finally:
        flow.kill()
    assert flow.returncode == 128 + signal.SIGTERM, out + error
    assert "ended by SIGTERM: the same command goes on where it stood" in error.splitlines()
    wait_for(lambda: not stage.exists())
    repository.tell_stages()
    repository.run("campaign", "run", "c")
    assert left_by(repository) == left_by(finished)
    assert leftovers(repository) == []


def kill_in_a_stage(repository: Repository, started: Path) -> None:
    """Kill the campaign while both candidates of a generation wait in a stage."""
    flow = repository.start("campaign", "run", "c")
    try:
        wait_for(lambda: len(list(started.iterdir())) == 2 or flow.poll() is not None)
    finally:
        flow.kill()
        flow.communicate()
    stages = [int(path.name) for path in started.iterdir()]
    assert len(stages) == 2, "the campaign ended before its stages began"
    wait_for(lambda: not any(Path(f"/proc/{stage}").exists() for stage in stages))


def damage(repository: Repository) -> None:
    """Do to the files what full disks, killed gits and careless hands do."""
    versions = repository.campaign() / "versions"
    model = versions / "v001" / "model" / "model.safetensors"
    model.chmod(0o644)
    model.write_bytes(model.read_bytes()[:10])  # and so the object in the cache, which it is a link to
    shutil.rmtree(repository.campaign() / "policies")
    (versions / "v001" / "dvc.lock").write_text("half a li")
    lock = versions / "v002" / "dvc.lock"
    lock.write_bytes(lock.read_bytes()[:-80] + b"\n  - {")
    (versions / "v003" / ".gitignore").write_text("/rol")
    (repository.root / ".git" / "worktrees" / "c" / "index.lock").touch()
    (versions / "v002" / "costs" / "train.json.partial").write_text("{")  # of a stage that does not run again
    (repository.campaign() / "scratch" / "generation.partial" / "v009").mkdir(parents=True)


def left_by(repository: Repository) -> dict[str, str]:
    """Return {path: hash} of what the campaign's branch holds, and the versions that are tagged."""
    listed = repository.git("ls-tree", "-r", "campaign/c").splitlines()
    found = {line.partition("\t")[2]: line.split()[2] for line in listed}
    tags = {f"tag {tag}": "" for tag in repository.git("tag", "--list", "version/c/*").split()}
    return {path: digest for path, digest in found.items() if not any(part in f"/{path}" for part in WITHOUT)} | tags


def leftovers(repository: Repository) -> list[Path]:
    """Return partial files, and lock files of git, that a finished campaign should not leave."""
    partial = [path for path in repository.campaign().rglob("*.partial") if path.exists()]
    return [*partial, *(path for path in (repository.root / ".git").rglob("*.lock") if path.is_file())]


def test_a_full_disk_during_the_start_leaves_nothing_half(armed: Repository) -> None:
    armed.environment["FULL_AT"] = "*worktree add*"
    run = armed.run("campaign", "run", "c", *SETTINGS, status=1)
    assert "No space left" in run.stderr
    assert not armed.campaign().exists()
    assert armed.git("branch", "--list", "campaign/*") == ""

    start_campaign(armed.root, "c", SETTINGS, require_clean=False)
    assert (armed.campaign() / "conf" / "overrides.txt").read_text().split("\n")[:-1] == sorted(SETTINGS)
