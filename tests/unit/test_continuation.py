"""Where versions start from their parents, one place of a generation goes to the incumbent's recipe, unchanged."""

import dataclasses

import pytest

from evotrainer.campaign.lineage import diff_base, learning_start, recipe_from
from evotrainer.config import Config
from evotrainer.config.campaign import WarmUpConfig
from evotrainer.records import NoiseFloor, VersionRecord
from evotrainer.search import make_search
from evotrainer.search.base import VersionPlan, certified_versions, may_be_trained_on
from evotrainer.training.replicates import seed_of
from tasks.propose import rate_before
from tests.evaluations import claim
from tests.evolving_campaign import candidate, changed, record

CONTINUING = Config(init="parent", num_versions=9)


def opened() -> list[VersionRecord]:
    """Return the base policy and a promoted baseline."""
    return [record("v000", "good"), record("v001", "good", outcome="promoted")]


def continued(version: str, estimate: float, outcome: str = "kept") -> VersionRecord:
    """Return a continuation of v001 that gained `estimate` on fresh rows."""
    made = record(version, "", kind="continuation", incumbent="v001", outcome=outcome, intervention=None)
    return changed(made, verdict={"gate": claim(against="v001", estimate=estimate)})


def planned(records: list[VersionRecord], config: Config = CONTINUING) -> list[VersionPlan]:
    return list(make_search(config).next_generation(records, config))


def test_the_last_place_of_a_generation_trains_the_incumbent_on():
    plans = planned(opened())
    assert [(plan.kind, plan.parents, plan.incumbent) for plan in plans] == [
        ("candidate", ("v001",), "v001"),
        ("continuation", ("v001",), "v001"),
    ]


ALONE = dataclasses.replace(CONTINUING, search=dataclasses.replace(CONTINUING.search, candidates_per_generation=1))


def test_a_single_place_is_a_change_of_what_was_promoted_and_its_recipe_trained_on_by_turns():
    assert [plan.kind for plan in planned(opened(), ALONE)] == ["candidate"]
    beaten = [*opened(), record("v002", "", incumbent="v001", outcome="kept")]
    assert [plan.kind for plan in planned(beaten, ALONE)] == ["continuation"]
    assert [plan.kind for plan in planned([*beaten, continued("v003", 0.02)], ALONE)] == ["candidate"]
    won = record("v002", "good", incumbent="v001", outcome="promoted")
    assert [(plan.kind, plan.parents) for plan in planned([*opened(), won], ALONE)] == [("candidate", ("v002",))]


def test_a_recipe_that_gained_too_little_on_its_warm_up_is_changed_next_and_then_trained_on():
    config = dataclasses.replace(ALONE, warm_up=WarmUpConfig(rows=8))
    warmed = record("v001", "", kind="warm_up", outcome="promoted", intervention=None)
    own = changed(continued("v002", 0.02), {"kind": "baseline"})
    records = [record("v000", "good"), warmed, own]
    assert [(plan.kind, plan.incumbent) for plan in planned(records, config)] == [("candidate", "v001")]
    records.append(record("v003", "", incumbent="v001", outcome="kept"))
    assert [(plan.kind, plan.parents) for plan in planned(records, config)] == [("continuation", ("v002",))]


def test_own_right_attempts_are_shown_after_a_warm_up_until_a_stage_is_not_promoted():
    config = dataclasses.replace(CONTINUING, warm_up=WarmUpConfig(rows=8, rounds=2))
    records = [record("v000", "good"), record("v001", "", kind="warm_up", outcome="promoted", intervention=None)]
    assert [(plan.kind, plan.parents) for plan in planned(records, config)] == [("distillation", ("v001",))]
    again = record("v002", "", kind="distillation", incumbent="v001", outcome="promoted", intervention=None)
    assert [(plan.kind, plan.parents) for plan in planned([*records, again], config)] == [("distillation", ("v002",))]
    beaten = record("v002", "", kind="distillation", incumbent="v001", outcome="kept", intervention=None)
    assert [(plan.kind, plan.parents) for plan in planned([*records, beaten], config)] == [("baseline", ("v001",))]
    config = dataclasses.replace(config, num_versions=2, warm_up=WarmUpConfig(rows=8, rounds=4))
    records += [
        record(f"v{n:03}", "", kind="distillation", incumbent=f"v{n - 1:03}", outcome="promoted", intervention=None)
        for n in range(2, 6)
    ]
    records.append(record("v006", "", kind="baseline", incumbent="v005", outcome="kept", intervention=None))
    assert len(planned(records, config)) == 1, "supervised stages take no version's place"
    records = records[:1]
    alone = dataclasses.replace(config, warm_up=WarmUpConfig(rounds=1))
    assert [(plan.kind, plan.parents) for plan in planned(records, alone)] == [("distillation", ("v000",))]


@pytest.mark.parametrize(("outcome", "start"), [("promoted", "v001"), ("kept", "v000")])
def test_a_warm_up_comes_before_the_recipe_which_starts_from_it_where_it_won(outcome, start):
    config = dataclasses.replace(CONTINUING, num_versions=1, warm_up=WarmUpConfig(rows=8))
    base = record("v000", "good")
    assert [(plan.version, plan.kind, plan.incumbent) for plan in planned([base], config)] == [
        ("v001", "warm_up", "v000")
    ]
    warmed = record("v001", "", kind="warm_up", outcome=outcome, intervention=None)
    (plan,) = planned([base, warmed], config)
    assert (plan.version, plan.kind, plan.parents, plan.incumbent) == ("v002", "baseline", (start,), start)
    trained = record("v002", "good", kind="baseline", incumbent=start, outcome="promoted", intervention=None)
    assert certified_versions([base, warmed, trained], config) == ["v000", "v001", "v002"]
    assert learning_start([base, warmed, trained]) == start
    assert not planned([base, warmed, trained], config), "a warm-up counts as none of num_versions"


def test_neither_the_base_policy_nor_what_starts_from_it_is_continued():
    config = dataclasses.replace(CONTINUING, init="base")
    assert {plan.kind for plan in planned(opened(), config)} == {"candidate"}
    untrained = [record("v000", "good"), record("v001", "bad", outcome="rejected")]
    assert {plan.kind for plan in planned(untrained)} == {"candidate"}


def test_gains_too_small_to_decide_add_up():
    records = [*opened(), continued("v002", 0.02)]
    assert planned(records)[-1].parents == ("v002",) and planned(records)[-1].incumbent == "v001"
    records.append(continued("v003", 0.03))
    assert planned(records)[-1].parents == ("v003",)


def test_a_recipe_that_no_longer_gains_is_changed_from_where_it_stood():
    records = [*opened(), continued("v002", 0.02), continued("v003", -0.03, "rejected")]
    assert [(plan.kind, plan.parents) for plan in planned(records)] == [("candidate", ("v002",))] * 2


def test_what_a_change_trained_is_gone_on_from_by_the_next_though_its_gain_is_undecided():
    """The recipe stays the incumbent's, since nothing is shown of the change; the weights go on."""
    tried = changed(continued("v002", 0.01), {"kind": "candidate"})
    (plan,) = planned([*opened(), tried], ALONE)
    assert (plan.kind, plan.parents, plan.incumbent) == ("continuation", ("v002",), "v001")
    undecided = continued("v003", 0.02, "inconclusive")
    (plan,) = planned([*opened(), tried, undecided], ALONE)
    assert (plan.kind, plan.parents, plan.incumbent) == ("candidate", ("v003",), "v001")
    stands = [*opened(), tried, undecided]
    assert certified_versions(stands, ALONE) == ["v000", "v001", "v003"]
    assert certified_versions(stands, dataclasses.replace(ALONE, init="base")) == ["v000", "v001"]


@pytest.mark.parametrize(("gained", "start"), [(0.03, "v003"), (0.01, "v002"), (-0.01, "v002")])
def test_the_trunk_is_left_where_a_version_stands_below_it_beyond_the_noise_floor(gained, start):
    base = changed(
        opened()[0],
        verdict={"noise_floor": NoiseFloor(value=0.02, observed=0.02, difference=0.0, num_problems=80, attempts=8)},
    )
    records = [base, opened()[1], continued("v002", 0.04), changed(continued("v003", gained), {"kind": "candidate"})]
    assert planned(records)[0].parents == (start,)


def test_a_continuation_keeps_the_recipe_that_it_goes_on_with():
    records = [*opened(), record("v002", "good", outcome="promoted")]
    records.append(record("v003", "good", kind="continuation", incumbent="v002", intervention=None))
    assert diff_base(records, "v003") == "v002"
    assert recipe_from(records, CONTINUING, "v003") == recipe_from(records, CONTINUING, "v002")


def test_what_trains_on_draws_other_problems_and_siblings_draw_the_same():
    first, on, beside = (record(name, "good").spec for name in ("v001", "v002", "v003"))
    assert seed_of(CONTINUING, on) == seed_of(CONTINUING, beside) != seed_of(CONTINUING, first)
    alone = dataclasses.replace(CONTINUING, init="base")
    assert seed_of(alone, on) == seed_of(alone, first) == seed_of(CONTINUING, first)


@pytest.mark.parametrize(
    ("closed", "init", "kind", "expected"),
    [
        (1, "parent", "baseline", True),
        (2, "parent", "candidate", True),
        (3, "parent", "candidate", False),
        (1, "base", "candidate", False),
        (1, "parent", "warm_up", False),
    ],
)
def test_a_small_gain_may_wait_for_the_next_version_but_not_in_the_last_one(closed, init, kind, expected):
    config = dataclasses.replace(ALONE, init=init, num_versions=3)
    records = [record(f"v{place:03}", "") for place in range(closed)]
    spec = record(f"v{closed:03}", "", kind=kind).spec
    assert may_be_trained_on(spec, records, config) is expected


def rated(version: str, before: float, after: float, best: str, outcome: str) -> VersionRecord:
    """Return a candidate that changed the learning rate."""
    made = candidate(2).model_copy(update={"diff": {"algorithm.learning_rate": (before, after)}})
    return record(version, "", incumbent=best, outcome=outcome, intervention=made)


def test_a_continuation_leaves_a_raised_learning_rate_once_nothing_was_promoted_at_it():
    raised = [*opened(), rated("v002", 1e-4, 3e-4, "v001", "promoted")]
    assert rate_before(raised, "v002", 3e-4) is None, "the raised rate was not trained on yet"
    tried = [*raised, record("v003", "", incumbent="v002", outcome="kept")]
    assert rate_before(tried, "v002", 3e-4) == 1e-4
    cooled = [*tried, rated("v004", 3e-4, 1e-4, "v002", "promoted"), record("v005", "", incumbent="v004")]
    assert rate_before(cooled, "v004", 1e-4) is None, "it was raised once"
    never = [*opened(), record("v002", "", incumbent="v001", outcome="kept")]
    assert rate_before(never, "v001", 1e-4) is None
