"""A campaign that is killed where it hurts, and whose files are damaged, ends as one that was never disturbed.

The campaign's processes are killed from inside at named points: benchmarks/crashes walks all of them.
"""

import shutil
import sys
from collections import Counter
from pathlib import Path

import pytest

from benchmarks.crashes.kill_points import KillPoints
from benchmarks.crashes.results import left_by, leftovers
from tests.integration.conftest import SETTINGS, Repository

pytestmark = [pytest.mark.slow, pytest.mark.skipif(shutil.which("cc") is None, reason="kill points need a C compiler")]

POINTS = ["start git symbolic-ref", "start git tag #", "end python train v002"]
"""Before the branch begins; after a version's commit and before its tag; after a stage and before DVC recorded it.

The last one is not run again.
"""


@pytest.fixture
def kill_points(repository: Repository, tmp_path: Path) -> KillPoints:
    return KillPoints(tmp_path, repository.root)


def command(*settings: str) -> list[str]:
    return [sys.executable, "-m", "cli.main", "campaign", "run", "c", *settings]


def test_killed_and_damaged_a_campaign_ends_as_the_undisturbed_one(
    repository: Repository, finished: Repository, kill_points: KillPoints
) -> None:
    started: Counter[str] = Counter()
    for point in POINTS:
        settings = SETTINGS if point == POINTS[0] else []
        run = kill_points.run(command(*settings), repository.shell(), POINTS)
        assert run.was_killed and point in run.point, run.output
        started.update(run.stages)
    damage(repository)

    run = kill_points.run(command(), repository.shell(), POINTS)
    assert run.status == 0, run.output
    started.update(run.stages)
    for told in (
        f"removed {repository.root / '.git' / 'worktrees' / 'c' / 'index.lock'}, which a killed git had left",
        "restored as committed: versions/v001/dvc.lock",
        "restored from cache or remote: versions/v001/model",
        "restored from cache or remote: policies/tiny_math",
    ):
        assert told in run.output
    assert left_by(repository.root, "c") == left_by(finished.root, "c")
    assert leftovers(repository.root, "c") == []
    repeated = {stage for stage, times in started.items() if times > 1}
    assert POINTS[-1].removeprefix("end ") not in repeated
    assert len(repeated) <= 1, "the stage of the other version that was running"


def damage(repository: Repository) -> None:
    """Do to the files what full disks, killed gits and careless hands do."""
    versions = repository.campaign() / "versions"
    model = versions / "v001" / "model" / "model.safetensors"
    model.chmod(0o644)
    model.write_bytes(model.read_bytes()[:10])  # and so the object in the cache, which it is a link to
    shutil.rmtree(repository.campaign() / "policies")
    (versions / "v001" / "dvc.lock").write_text("half a li")
    lock = versions / "v002" / "dvc.lock"
    lock.write_bytes(lock.read_bytes()[:-80])
    (repository.root / ".git" / "worktrees" / "c" / "index.lock").touch()
    (versions / "v002" / "costs" / "train.json.partial").write_text("{")  # of a stage that does not run again
    (repository.campaign() / "scratch" / "generation.partial" / "v009").mkdir(parents=True)


def test_a_full_disk_during_the_start_keeps_the_settings_and_leaves_nothing_half(
    repository: Repository, kill_points: KillPoints
) -> None:
    run = kill_points.run(command(*SETTINGS), repository.shell(), ["write git /campaigns/c/"], action="full")
    assert run.status == 1 and "No space left" in run.output, run.output
    assert not repository.campaign().exists()
    assert repository.git("branch", "--list", "campaign/*") == ""

    repository.tell_stages(warm_start={"fail": "enough seen"})
    run = kill_points.run(command(), repository.shell(), ["nowhere"])
    assert f"the start of c was cut short; it begins again, with {' '.join(SETTINGS)}" in run.output
    assert (repository.campaign() / "conf" / "overrides.txt").read_text().split("\n")[:-1] == sorted(SETTINGS)
