"""A campaign that must end by its hour: it plans what fits, certifies, says what it left out, and is then over."""

import json
from datetime import datetime, timedelta

import pytest

from tests.integration.conftest import SETTINGS, Repository

NIGHT = timedelta(seconds=60)


@pytest.fixture
def night(repository: Repository) -> tuple[Repository, datetime]:
    """A campaign of more versions than its night has room for, after it has run."""
    end = (datetime.now() + NIGHT).replace(microsecond=0)
    settings = [*SETTINGS, f"budget.total.until='{end.isoformat()}'"]
    repository.run("campaign", "run", "c", "num_versions=200", *settings[1:])
    return repository, end


def test_a_campaign_ends_before_its_hour_with_its_certificate(night: tuple[Repository, datetime]) -> None:
    repository, end = night
    found = json.loads((repository.campaign() / "budget.json").read_text())
    assert datetime.fromisoformat(found["ended_at"]) <= end
    assert "of 200 versions" in found["left_out"][0] and len(found["left_out"]) == 1, "the certificate was made"
    assert found["reason"].startswith("budget.total.until=") or "must end at" in found["reason"]
    assert (repository.campaign() / "certificate" / "certificate.json").is_file()

    again = repository.run("campaign", "run", "c")
    assert "ended at its budget" in again.stderr and "raise budget.total" in again.stderr
    shown = repository.json("budget", "c")
    assert shown["ending"]["left_out"] == found["left_out"]  # type: ignore[index]
    assert shown["next_version"]["hours"] > 0  # type: ignore[index]
