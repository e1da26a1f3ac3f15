"""Campaigns by the clock, and what a form's fields become: overrides that compose."""

from pathlib import Path
from typing import Any

import pytest

from conf.compose import compose_campaign
from evotrainer.errors import EvoTrainerError
from flows.serving.deployments import make_schedule, slug_of
from flows.serving.ui import AS_CONFIGURED, settings_of

ROOT = Path(__file__).resolve().parents[2]


def test_each_firing_is_a_campaign_of_its_own_that_must_end_by_its_hour() -> None:
    made = make_schedule(ROOT, "night", "0 22 * * *", "07:00", "Europe/Berlin", ["num_versions=12"])
    template = "night-%Y%m%d-%H%M"
    assert made.parameters == {"name": template, "until": "07:00", "overrides": ["num_versions=12"]}
    assert made.schedule.timezone == "Europe/Berlin"  # type: ignore[union-attr]
    assert make_schedule(ROOT, "n-%Y", "0 22 * * *", "", "UTC", []).parameters["name"] == "n-%Y"


def test_schedules_whose_names_look_alike_stay_apart() -> None:
    assert len({slug_of(name) for name in ("a_b", "a-b", "a-b-%H")}) == 3


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({"name": "night-%p"}, "cannot name a campaign"),
        ({"name": "../x"}, "cannot name a campaign"),
        ({"cron": "at ten"}, "--cron 'at ten'"),
        ({"until": "seven"}, "write 07:00"),
        ({"until": "2026-11-27T07:00"}, "the hour alone"),
        ({"settings": ["num_version=3"]}, "unknown key 'num_version'"),
        ({"settings": ["policy.path=models/typo"]}, "policy.path=models/typo does not exist"),
        ({"settings": ["domain.data_path=typo.jsonl"]}, "domain.data_path=typo.jsonl does not exist"),
        ({"settings": ["trainer=written", "trainer.interventions=[typo]"]}, "typo"),
    ],
)
def test_a_schedule_that_cannot_work_is_refused_when_it_is_given(given: dict[str, Any], said: str) -> None:
    plan = {"name": "night", "cron": "0 22 * * *", "until": "", "zone": "UTC", "settings": []} | given
    with pytest.raises(EvoTrainerError, match=said):
        make_schedule(ROOT, *plan.values())


def test_fields_of_the_form_compose() -> None:
    chosen = {
        "domain": "code",
        "domain.data_path": "",
        "search": AS_CONFIGURED,
        "num_versions": 0,
        "budget.total.until": "07:00",
        "budget.total.dollars": 2.5,
        "policy.path": "/models/it's mine",
    }
    config = compose_campaign(settings_of(chosen))
    assert (config.domain.name, config.search.name, config.num_versions) == ("code", "evotrainer", 6)
    assert (config.budget.total.until, config.budget.total.dollars) == ("07:00", 2.5)
    assert config.policy.path == "/models/it's mine"
