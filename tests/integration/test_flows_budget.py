"""A campaign with a budget: it plans what fits, certifies, says what it left out, and is then over."""

import json
from datetime import datetime, timedelta

from tests.integration.conftest import SETTINGS, Repository

TRAJECTORIES = 45
"""Small stages play 2 in an evaluation and 10 in training: room for v000 to v003 and the certificate, not for v004."""


def test_a_campaign_ends_at_its_budget_with_its_certificate(repository: Repository) -> None:
    end = datetime.now() + timedelta(hours=3)
    limits = [f"budget.total.trajectories={TRAJECTORIES}", f"budget.total.until='{end.isoformat(timespec='seconds')}'"]
    first = repository.run("campaign", "run", "c", "num_versions=200", *SETTINGS[1:], *limits)
    assert "v002, v003: about" in first.stderr and "each; left: 25 trajectories" in first.stderr

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
    shown = repository.json("budget", "c")
    assert shown["ending"]["left_out"] == found["left_out"]  # type: ignore[index]
    assert {one["subject"] for one in shown["expenses"]} == {"v000", "v001", "v002", "v003", "certificate"}  # type: ignore[index]
