"""A search that failed three times goes back to the last good version and changes its ways."""

import pytest

from evotrainer.agents import ProposalContext
from evotrainer.agents.rules import removals
from evotrainer.config import Config, HarnessConfig, SearchConfig
from evotrainer.config.factors import FACTORS
from evotrainer.config.interventions import with_values
from evotrainer.records import HarnessReport, VersionRecord
from evotrainer.search import make_search
from evotrainer.search.base import MARK, MOST_EMPTY, escalation, last_good, num_trained, places_left
from tests.evaluations import claim
from tests.evolving_campaign import changed, comparison, labelled_campaign, promoted, record
from tests.trainer_agents import agent_of

ESCALATING = Config(harness=HarnessConfig(escalate_after=3))


def test_three_failed_versions_since_a_promotion_escalate_and_fewer_do_not():
    assert escalation(labelled_campaign("bad", "bad"), ESCALATING) is None
    assert escalation(promoted(labelled_campaign("bad", "bad", "good", "bad"), 4), ESCALATING) is None
    assert escalation(labelled_campaign("bad", "bad", "bad"), Config()) is None
    found = escalation(labelled_campaign("good", "bad", "bad", "bad"), ESCALATING)
    assert found is not None and found.failed == ("v003", "v004", "v005") and found.last_good == "v001"
    assert found.families == {"filter", "data", "reward"}


def test_a_promotion_beside_failures_of_its_generation_ends_the_row():
    def together(*labels):
        records = labelled_campaign(*labels)
        return [*records[:2], *(changed(one, {"generation": 2}) for one in records[2:])]

    assert escalation(promoted(together("good", "bad", "bad", "bad"), 2), ESCALATING) is None
    found = escalation(together("bad", "bad", "bad"), ESCALATING)
    assert found is not None and found.failed == ("v002", "v003", "v004")


def test_what_was_kept_without_a_claim_neither_counts_nor_ends_the_row():
    found = escalation(labelled_campaign("bad", "bad", "good", "bad"), ESCALATING)
    assert found is not None and found.failed == ("v002", "v003", "v005")
    assert escalation(labelled_campaign("bad", "bad", "good", "good"), ESCALATING) is None


def test_candidates_start_from_the_last_good_version_after_failures():
    records = labelled_campaign("bad", "bad", "bad")
    records[1] = record("v001", "", outcome="promoted")
    plain = make_search(Config(num_versions=9)).next_generation(records, Config(num_versions=9))
    config = Config(harness=HarnessConfig(escalate_after=3), num_versions=9)
    escalated = make_search(config).next_generation(records, config)
    assert {plan.incumbent for plan in plain} == {"v001"} and {plan.incumbent for plan in escalated} == {"v000"}


def test_what_fresh_rows_promoted_is_good_enough_to_go_back_to():
    """Its screening score may not lie above the base policy's beyond chance: the gate showed that it is better."""
    records = labelled_campaign("bad", "bad", "bad")
    records[1] = record("v001", "", outcome="promoted")
    assert last_good(records) == "v000"
    records[1] = changed(records[1], verdict={"gate": claim(against="v000")})
    assert last_good(records) == "v001"


def test_after_failures_other_families_come_first_and_removals_before_all():
    added = record("v002", "good", outcome="promoted")
    records = [*labelled_campaign()[:2], added, *(record(f"v{n:03d}", "bad", incumbent="v002") for n in (3, 4, 5))]
    assert added.intervention is not None
    taken_up = {key: new for key, (_, new) in added.intervention.diff.items()}
    report = HarnessReport(version="v006", harness_version="h", metrics={"solve_rate": 0.5})
    recipe = with_values(ESCALATING, taken_up)
    calm = with_values(Config(), taken_up)
    found = agent_of(recipe).propose(ProposalContext(recipe, "v002", 6, report, records))
    usual = agent_of(calm).propose(ProposalContext(calm, "v002", 6, report, records))
    assert f"{MARK}removal of v002" in found[0].evidence
    assert {key: new for key, (_, new) in found[0].diff.items()} == {
        key: old for key, (old, _) in added.intervention.diff.items()
    }
    limited = report.model_copy(update={"metrics": {"solve_rate": 0.5, "truncation_rate": 0.1}})
    removal = agent_of(recipe).propose(ProposalContext(recipe, "v002", 6, limited, records))[0]
    assert [(limit.metric, limit.value) for limit in removal.limits] == [("truncation_rate", 0.25)]
    escalated = escalation(records, ESCALATING)
    assert escalated is not None

    def families(proposals):
        return {
            FACTORS[name].family
            for one in proposals
            for name in one.factor.split("+")
            if not any(item.startswith(MARK) for item in one.evidence)
        }

    assert families(found).isdisjoint(escalated.families) and not families(usual).isdisjoint(escalated.families)
    wide = with_values(recipe, {"search.candidates_per_generation": len(found) + 1})
    filled = agent_of(wide).propose(ProposalContext(wide, "v002", 6, report, records))
    assert len(filled) > len(found) and not families(filled).isdisjoint(escalated.families)


def _chain(*last: str) -> list[VersionRecord]:
    """Return two promoted changes in a row, v002 and v003, and versions over the last of them."""
    won = [record("v002", "good", outcome="promoted"), record("v003", "good", outcome="promoted", incumbent="v002")]
    return [
        record("v000", ""),
        record("v001", "good", outcome="promoted"),
        *won,
        *(record(name, "bad", incumbent="v003") for name in last),
    ]


@pytest.mark.parametrize(
    ("spec", "verdict", "counts"),
    [
        ({}, {}, True),
        ({}, {"outcome": "failed", "score": None}, True),
        ({}, {"outcome": "invalid"}, True),
        ({"kind": "merge"}, {}, True),
        ({"kind": "baseline"}, {}, False),
        ({}, {"score": None}, False),
        ({}, {"outcome": "inconclusive"}, False),
    ],
)
def test_what_trained_in_vain_or_broke_off_counts_and_what_never_trained_does_not(spec, verdict, counts):
    *before, third = _chain("v004", "v005", "v006")
    found = escalation([*before, changed(third, spec, verdict)], ESCALATING)
    assert (found.failed if found else None) == (("v004", "v005", "v006") if counts else None)


def test_the_search_goes_back_to_the_newest_good_version_and_not_to_one_known_bad():
    records = _chain("v004")
    assert last_good(records) == "v003"
    gate = claim(against="v002")
    below_base = [comparison("v002", 0.0, 0.3), comparison("v000", -0.1)]
    records[3] = changed(records[3], {}, {"gate": gate, "comparisons": below_base})
    assert last_good(records) == "v002"


def test_the_newest_addition_is_taken_back_first_and_what_is_gone_already_is_not():
    records = _chain("v004", "v005", "v006")
    found = escalation(records, ESCALATING)
    assert found is not None
    added = [{key: new for key, (_, new) in made.intervention.diff.items()} for made in records if made.intervention]
    report = HarnessReport(version="v007", harness_version="h")
    moved_on = added[1] | {key: 2 * value for key, value in added[0].items()}
    for settings, versions in ((added[0] | added[1], ("v003", "v002")), (moved_on, ("v003",))):
        context = ProposalContext(with_values(ESCALATING, settings), "v003", 7, report, records)
        assert [one.evidence for one in removals(context, found)] == [[f"{MARK}removal of {name}"] for name in versions]


SEARCHES = ["evotrainer", "hillclimb", "specialists", "gear_prompt", "gear_fixed", "gear_evolve"]


def with_empty(records: list[VersionRecord], count: int) -> list[VersionRecord]:
    names = [f"v{len(records) + n:03d}" for n in range(count)]
    return [*records, *(record(name, "", incumbent="v001", intervention=None, outcome="rejected") for name in names)]


@pytest.mark.parametrize("search", SEARCHES)
def test_an_empty_slot_is_replaced_by_another_until_slot_after_slot_is_empty(search):
    config = Config(num_versions=3, search=SearchConfig(name=search))
    full = labelled_campaign("bad", "bad")
    assert not make_search(config).next_generation(full, config)
    records = with_empty(labelled_campaign("bad"), 1)
    assert len(make_search(config).next_generation(records, config)) == 1
    assert (num_trained(records), places_left(records, config)) == (2, 1)
    long = Config(num_versions=40, search=SearchConfig(name=search))
    some = with_empty(labelled_campaign("bad"), MOST_EMPTY - 1)
    assert make_search(long).next_generation(some, long)
    assert not make_search(long).next_generation(with_empty(some, 1), long)


def test_at_most_as_many_are_replaced_as_are_trained():
    config = Config(num_versions=3)
    assert places_left(with_empty(labelled_campaign("bad"), 4), config) == 0
