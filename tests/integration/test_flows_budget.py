"""A campaign with a budget: it plans what fits, certifies, says what it left out, and is then over."""

import json
from datetime import datetime, timedelta

import pytest

from tests.integration.conftest import SETTINGS, Repository

pytestmark = pytest.mark.slow

TRAJECTORIES = 45
"""Small stages play 2 in an evaluation and 10 in training: room for v000 to v003 and the certificate, not for v004."""
NO_ROOM = "the budget of c has no room for a single version: v000 evaluate was stopped: its run must end after"


def write_problems(repository: Repository) -> list[str]:
    """Write two problems a split, and return the settings of evaluations as small as those of small stages."""
    folder = repository.root.parent / "own"
    folder.mkdir()
    for start, split in enumerate(("train", "probe", "validation", "test")):
        numbers = (10 + 20 * start, 17 + 20 * start)
        rows = [{"id": str(n), "problem": f"{n}+{n}=?", "answer": str(2 * n)} for n in numbers]
        (folder / f"{split}.jsonl").write_text("".join(f"{json.dumps(row)}\n" for row in rows))
    return [f"domain.data_path={folder}", "evaluate.attempts=2", "evaluate.max_problems=2"]


def test_a_campaign_ends_at_its_budget_with_its_certificate(repository: Repository) -> None:
    end = datetime.now() + timedelta(hours=3)
    limits = [f"budget.total.trajectories={TRAJECTORIES}", f"budget.total.until='{end.isoformat(timespec='seconds')}'"]
    settings = [*SETTINGS[1:], *write_problems(repository), *limits]
    repository.run("campaign", "run", "c", "num_versions=200", *settings)

    found = json.loads((repository.campaign() / "budget.json").read_text())
    assert found["left_out"] == ["197 of 200 versions"], "the certificate was made"
    assert found["reason"].startswith(f"budget.total.trajectories={TRAJECTORIES}: one more version takes 12 traj")
    assert found["spent"]["trajectories"] == 2 + 3 * 12
    assert datetime.fromisoformat(found["ended_at"]) < end
    assert (repository.campaign() / "certificate" / "certificate.json").is_file()
    assert Repository(repository.campaign()).git("status", "--porcelain") == ""

    again = repository.run("campaign", "run", "c")
    assert "ended at its budget" in again.stderr and "is closed by its certificate" in again.stderr
    assert "raise budget.total" not in again.stderr, "no limit opens it again"


def test_a_budget_without_room_for_a_version_has_a_status_of_its_own(repository: Repository) -> None:
    repository.tell_stages(evaluate={"until": str(repository.root.parent / "never")})
    for _ in range(2):  # repeated, it ends so again
        stopped = repository.run("campaign", "run", "c", *SETTINGS, "budget.total.hours=0.001", status=78)
        assert stopped.stderr.splitlines()[-1].startswith(f"error: {NO_ROOM}")
        assert "To go on, raise budget.total in" in stopped.stderr
    assert "no version of c is closed yet" in repository.run("report", "c", status=1).stderr
