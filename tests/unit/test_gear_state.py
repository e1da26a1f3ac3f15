"""GEAR goes on from what is stored: a crossover where two children pay, the same plan after a kill."""

from pathlib import Path

import pytest

from evotrainer.campaign.repository import load_records, write_records
from evotrainer.config import Config, SearchConfig
from evotrainer.config.factors import recipe_hash
from evotrainer.config.interventions import merge, with_values
from evotrainer.records import VersionRecord
from evotrainer.search import make_search
from tests.campaign_writer import make_intervention
from tests.evolving_campaign import changed, record

FASTER = {"algorithm.learning_rate": 2.5e-4}
FAILING = {"data.mixture": "by_failure"}
STEPS = {"algorithm.num_minibatches": 4}


def child(version: str, setting: dict, **values) -> VersionRecord:
    made = make_intervention(Config(), setting, "score", 0.05)
    return record(version, "good", **{"incumbent": "v001", "intervention": made} | values)


def closed(*settings: dict) -> list[VersionRecord]:
    children = [child(f"v{place:03d}", setting) for place, setting in enumerate(settings, 2)]
    return [record("v000", ""), record("v001", "good", outcome="promoted"), *children]


def campaign(search: str = "gear_fixed") -> Config:
    return Config(num_versions=12, search=SearchConfig(name=search))


@pytest.mark.parametrize("search", ["gear_fixed", "gear_evolve"])
def test_two_children_that_pay_in_different_factors_are_crossed(search):
    first, second = make_search(campaign(search)).next_generation(closed(FASTER, FAILING), campaign(search))
    assert (first.kind, set(first.parents), first.incumbent) == ("merge", {"v002", "v003"}, first.parents[0])
    assert second.kind == "candidate"


def test_two_elites_are_crossed_once():
    one, other = (child(f"v00{place}", setting).intervention for place, setting in ((2, FASTER), (3, FAILING)))
    assert one is not None and other is not None
    union = merge(one, other, Config(), parents=("v002", "v003"))
    tried = recipe_hash(with_values(Config(), FASTER | FAILING))
    crossed = record("v004", "good", incumbent="v002", intervention=union, kind="merge", config_hash=tried)
    crossed = changed(crossed, {"parents": ["v002", "v003"]})
    plans = make_search(campaign()).next_generation([*closed(FASTER, FAILING), crossed], campaign())
    assert [plan.kind for plan in plans] == ["candidate", "candidate"]


@pytest.mark.parametrize("settings", [(FASTER, STEPS), (FASTER, FASTER)])
def test_children_whose_changes_act_on_the_same_thing_are_not_crossed(settings):
    plans = make_search(campaign()).next_generation(closed(*settings), campaign())
    assert {plan.kind for plan in plans} == {"candidate"}


def test_the_prompt_variant_tells_how_changes_of_other_elites_are_joined():
    config, records = campaign("gear_prompt"), closed(FASTER, FAILING)
    search = make_search(config)
    assert {plan.kind for plan in search.next_generation(records, config)} == {"candidate"}
    spec = records[-1].spec.model_copy(update={"version": "v004", "incumbent": "v001", "slot": 0})
    told = search.brief(spec, records, config).text
    assert "a change that another elite has" in told
    assert "v002" in told and "v003" in told


@pytest.mark.parametrize(
    "search", ["evotrainer", "hillclimb", "specialists", "gear_prompt", "gear_fixed", "gear_evolve"]
)
def test_every_search_tells_its_agent_how_predictions_came_true(search):
    config, records = campaign(search), closed(FASTER, FAILING)
    told = {"prediction_hit": False, "prediction_observed": -0.05}
    records[-1] = changed(records[-1], verdict=told)
    plan = make_search(config).next_generation(records, config)[-1]
    spec = records[-1].spec.model_copy(update=vars(plan) | {"parents": list(plan.parents)})
    text = make_search(config).brief(spec, records, config).text
    assert "the sign came true in 0 of 1 predictions" in text and "Brier" in text


@pytest.mark.parametrize("search", ["gear_prompt", "gear_fixed", "gear_evolve"])
def test_a_plan_and_brief_are_the_same_after_they_are_read_back(search, tmp_path: Path):
    config, records = (
        campaign(search),
        closed(FASTER, FAILING, STEPS, {"reward.format": 0.1}, {"sampling.temperature": 1.2}),
    )
    write_records(tmp_path / "lineage.json", records)
    found = load_records(tmp_path / "lineage.json")
    one, other = make_search(config), make_search(config)
    plans = one.next_generation(records, config)
    assert plans and plans == other.next_generation(found, config)
    for plan in plans:
        spec = records[-1].spec.model_copy(update=vars(plan) | {"parents": list(plan.parents)})
        assert one.brief(spec, records, config) == other.brief(spec, found, config)
