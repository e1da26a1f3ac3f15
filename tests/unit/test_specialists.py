"""Specialists own surfaces and take turns; whatever agent proposes for them."""

import pytest

from evotrainer.agents import ProposalContext
from evotrainer.agents.base import propose_under
from evotrainer.campaign.trials import label_of
from evotrainer.config import Config, SearchConfig
from evotrainer.config.factors import FACTORS
from evotrainer.errors import ConfigError
from evotrainer.records import LOST_ATTEMPTS, HarnessReport, VersionRecord, VersionSpec
from evotrainer.search import make_search
from evotrainer.search.specialists import SATURATED_AFTER, SURFACES, on_turn, owned, taking_part
from tests.campaign_writer import make_intervention
from tests.evolving_campaign import changed, record
from tests.trainer_agents import agent_of

START = [record("v000", ""), record("v001", "good", outcome="promoted")]
REPORT = HarnessReport(version="v001", harness_version="h")


def campaign(**search) -> Config:
    config = Config(search=SearchConfig(name="specialists", **search), num_versions=20)
    config.trainer.pool_size = 64
    return config


def tried(version: str, specialist: str, setting: dict, **values) -> VersionRecord:
    made = make_intervention(Config(), setting, "score", 0.05)
    signed = made.model_copy(update={"author": f"rules@{specialist}"})
    return record(version, "", **{"intervention": signed, "outcome": "kept"} | values)


def spec_of(records: list[VersionRecord], config: Config, slot: int = 0) -> VersionSpec:
    plan = make_search(config).next_generation(records, config)[slot]
    values = {
        "kind": plan.kind,
        "version": plan.version,
        "generation": plan.generation,
        "slot": slot,
        "incumbent": plan.incumbent,
    }
    return records[-1].spec.model_copy(update=values)


def proposals(records: list[VersionRecord], config: Config, slot: int = 0) -> list:
    spec = spec_of(records, config, slot)
    brief = make_search(config).brief(spec, records, config)
    context = ProposalContext(config, spec.incumbent, spec.generation, REPORT, records)
    return propose_under(brief, agent_of(config), context)


def test_every_factor_has_one_owner():
    owners = {name: [one for one in SURFACES if name in owned(one, FACTORS)] for name in FACTORS}
    assert all(len(found) == 1 for found in owners.values()), owners
    assert owners["response_budget"] == ["budget"]


@pytest.mark.parametrize("agent", ["rules", "random", "shuffled"])
def test_any_agent_stays_on_its_surface(agent):
    config = campaign(specialists=["algorithm", "filter"])
    config.trainer.name = agent
    for slot, family in enumerate(["algorithm", "filter"]):
        found = proposals(START, config, slot)
        assert found and {FACTORS[one.factor].family for one in found} == {family}
        assert all(one.author == f"{one.author.partition('@')[0]}@{family}" for one in found)


def test_the_fewest_trials_come_first_and_a_saturated_specialist_last():
    config = campaign(specialists=["reward", "algorithm"])
    assert on_turn(START, config) == ["reward", "algorithm"]
    once = [*START, tried("v002", "reward", {"reward.format": 0.1})]
    assert on_turn(once, config) == ["algorithm", "reward"]
    settings = [{"algorithm.learning_rate": 1e-4 * (n + 1)} for n in range(SATURATED_AFTER)]
    idle = [*START, *(tried(f"v{n + 2:03d}", "algorithm", setting) for n, setting in enumerate(settings))]
    assert on_turn(idle, config) == ["reward", "algorithm"]
    many = [*idle, *(tried(f"v{n + 10:03d}", "reward", {"reward.format": 0.1}, outcome="promoted") for n in range(9))]
    assert on_turn(many, config) == ["reward", "algorithm"]


def test_a_specialist_without_a_lawful_proposal_gives_its_turn_to_the_others():
    config = campaign(specialists=["budget", "reward", "algorithm"])
    assert on_turn(START, config)[0] == "budget"
    empty = record("v002", "", intervention=None, outcome="rejected")
    records = [*START, empty.model_copy(update={"spec": spec_of(START, config)})]
    assert label_of(records[-1]) == "preflight_crash"
    assert on_turn(records, config) == ["reward", "algorithm", "budget"]
    assert (
        "no keep in their last turns: budget"
        in make_search(config).brief(spec_of(records, config), records, config).text
    )


def test_what_infrastructure_ended_counts_for_nobody():
    lost = tried("v002", "reward", {"reward.format": 0.1})
    lost = changed(lost, verdict={"outcome": "inconclusive", "label": LOST_ATTEMPTS})
    records = [*START, lost]
    assert on_turn(records, campaign(specialists=["reward", "algorithm"])) == ["reward", "algorithm"]


@pytest.mark.parametrize(
    ("settings", "told"),
    [
        ({"specialists": ["optimizer"]}, "search.specialists='optimizer' is unknown: choose from reward"),
        ({"specialists": ["harness"]}, "nobody who can propose"),
    ],
)
def test_a_name_that_is_none_is_refused_in_one_line(settings, told):
    with pytest.raises(ConfigError, match=told):
        taking_part(campaign(**settings))
