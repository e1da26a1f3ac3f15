"""Skills: what a lesson is remembered as, what calls for it, and which of several is tried first."""

import pytest

from evotrainer.campaign.memory.skills import (
    changes_of,
    credence,
    foreign,
    is_called_for,
    native,
    setting_of,
    triggers_of,
)
from evotrainer.config import Config
from evotrainer.records import Condition, Skill, SkillChange, SkillTrial
from tests.campaign_writer import make_intervention


def skill(name: str = "rate-up", trials: str = "+", **values) -> Skill:
    """Return a skill of swe with a trial a sign: + succeeded, - failed."""
    plain = {
        "name": name,
        "factor": "learning_rate",
        "modes": [],
        "hypothesis": "h",
        "validation": "v",
        "changes": [SkillChange(key="algorithm.learning_rate", ratio=2.0)],
        "expected_low": 0.0,
        "expected_high": 0.1,
    }
    made = [
        SkillTrial(
            campaign="c", version="v002", domain="swe", campaign_seed=seed, succeeded=sign == "+", difference=0.0
        )
        for seed, sign in enumerate(trials)
    ]
    return Skill(**plain | values, trials=made)


def test_any_of_its_findings_calls_for_a_skill_and_so_do_all_of_its_readings():
    timid = [Condition(metric="kl", operator="<", value=0.03), Condition(metric="entropy", operator=">", value=0.2)]
    asked = skill(modes=["timidity", "dead_groups"], conditions=timid)
    assert is_called_for(asked, ["dead_groups"], {}) and not is_called_for(asked, ["truncation"], {})
    assert is_called_for(asked, [], {"kl": 0.01, "entropy": 0.4})
    assert not is_called_for(asked, [], {"kl": 0.01, "entropy": 0.1}) and not is_called_for(asked, [], {"kl": 0.01})


def test_the_skill_with_the_best_record_is_tried_first():
    known = [skill("once"), skill("often", "+++"), skill("shaken", "++-")]
    assert [round(credence(one), 3) for one in known] == [0.667, 0.8, 0.6]
    assert [one.name for one in native(known, "swe")] == ["often", "once", "shaken"]
    assert [one.name for one in foreign(known, "code")] == ["often", "once", "shaken"]


@pytest.mark.parametrize(
    ("key", "value", "change"),
    [
        ("algorithm.learning_rate", 5.12e-4, {"ratio": 8.0}),
        ("algorithm.learning_rate", 1.024e-3, {"value": 1.024e-3}),
        ("algorithm.kl_coefficient", 0.0, {"value": 0.0}),
    ],
)
def test_a_step_along_a_scale_is_remembered_as_a_ratio_and_a_jump_as_a_value(key, value, change):
    assert changes_of(make_intervention(Config(), {key: value}, "score", 0.05)) == [SkillChange(key=key, **change)]


def test_rules_and_versions_that_led_to_a_step_are_no_findings_that_call_for_it():
    faster = make_intervention(Config(), {"algorithm.learning_rate": 1.28e-4}, "score", 0.05)
    led = faster.model_copy(update={"evidence": ["dead_groups", "rule:no_spread", "paid:v002"]})
    assert triggers_of(led) == (["dead_groups"], [])
    explored = faster.model_copy(update={"evidence": ["rule:explore_rate"]})
    assert is_called_for(skill(modes=triggers_of(explored)[0]), [], {})


def test_a_setting_that_is_no_more_changes_nothing():
    assert setting_of(skill(changes=[SkillChange(key="algorithm.gone", ratio=2.0)]), Config()) == {}
