"""Both strategies over simulated lineages: whatever outcomes come, plans stay lawful and the campaign ends."""

from functools import cache

from hypothesis import given, settings
from hypothesis import strategies as st

from evotrainer.campaign.lineage import incumbent
from evotrainer.config import Config
from evotrainer.records import Backtest, Intervention, VersionRecord
from evotrainer.search import VersionPlan, make_search
from tests.plain_records import compared, plain_backtest, plain_intervention, plain_verdict, version_spec

SETTINGS = [
    {"algorithm.learning_rate": 1e-4},
    {"algorithm.kl_coefficient": 0.01},
    {"reward.format": 0.1},
    {"sampling.group_size": 16},
    {"algorithm.learning_rate": 1e-3},
    {"data.mixture": "by_signal"},
]

FROM_THE_INCUMBENT = ["evotrainer", "hillclimb", "specialists", "gear_prompt"]
"""Searches whose candidates all change the incumbent."""

events = st.lists(
    st.tuples(
        st.sampled_from(["promoted", "kept", "rejected", "invalid", "failed", "inconclusive", "refused"]),
        st.floats(-0.3, 0.3),
        st.sampled_from(range(len(SETTINGS))),
    ),
    min_size=40,
    max_size=40,
)


@cache
def intervention(index: int) -> Intervention:
    return plain_intervention(Config(), SETTINGS[index])


def backtest(index: int, accepted: bool = True, effect: float = 0.0) -> Backtest:
    return plain_backtest(
        intervention_id=intervention(index).intervention_id, accepted=accepted, predicted_effect=effect
    )


def closed(plan: VersionPlan, outcome: str, difference: float, index: int) -> VersionRecord:
    """Return the record of a plan that ended like this; the score counts up from 0.5 so that it stays in [0, 1]."""
    spec = version_spec(
        plan.version, plan.kind, plan.incumbent, generation=plan.generation, slot=plan.slot, parents=list(plan.parents)
    )
    trained = outcome != "refused"
    candidate = plan.kind in ("candidate", "merge")
    comparison = compared(plan.incumbent, difference, difference, difference, num_problems=10)
    verdict = plain_verdict(
        plan.version,
        "kept" if plan.kind == "base" else "rejected" if not trained else outcome,
        score=0.5 + difference if trained else None,
        comparisons=[comparison] if trained and plan.kind != "base" else [],
    )
    return VersionRecord(
        spec=spec,
        intervention=intervention(index) if candidate else None,
        backtest=backtest(index, accepted=trained) if candidate else None,
        verdict=verdict,
        findings=[],
        metrics={},
        config_hash="",
        policy_hash=None,
    )


def run(config: Config, story: list) -> tuple[list[VersionRecord], list[list[VersionPlan]]]:
    search, records, generations, told = make_search(config), [], [], iter(story)
    while plans := search.next_generation(records, config):
        generations.append(plans)
        assert len(generations) < 100
        records = records + [closed(plan, *next(told)) for plan in plans]
    return records, generations


@settings(deadline=None, derandomize=True, max_examples=60)
@given(events, st.sampled_from(FROM_THE_INCUMBENT), st.integers(1, 9), st.integers(1, 3))
def test_campaigns_end_with_lawful_plans(story, name, num_versions, width):
    config = Config()
    config.search.name, config.num_versions, config.search.candidates_per_generation = name, num_versions, width
    records, generations = run(config, story)
    assert [record.spec.version for record in records] == [f"v{index:03d}" for index in range(len(records))]
    refused = sum(record.backtest is not None and not record.backtest.accepted for record in records)
    trained = len(records) - 1 - refused
    assert trained <= num_versions
    assert trained == num_versions or refused >= num_versions
    known: list[VersionRecord] = []
    for number, plans in enumerate(generations):
        assert {plan.generation for plan in plans} == {number}
        assert [plan.slot for plan in plans] == list(range(len(plans)))
        if number > 1:
            assert all(plan.incumbent == incumbent(known) for plan in plans)
            assert len(plans) <= (1 if name == "hillclimb" else width)
        known = records[: len(known) + len(plans)]


@settings(deadline=None, derandomize=True, max_examples=60)
@given(events, st.integers(4, 9))
def test_merges_join_two_winners_of_one_generation_with_disjoint_diffs(story, num_versions):
    config = Config()
    config.num_versions = num_versions
    records, generations = run(config, story)
    by_name = {record.spec.version: record for record in records}
    for plans in generations:
        for plan in plans:
            if plan.kind == "merge":
                one, other = (by_name[name] for name in plan.parents)
                assert one.spec.generation == other.spec.generation == plan.generation - 1
                assert not set(one.intervention.diff) & set(other.intervention.diff)
                for parent in (one, other):
                    assert parent.verdict.outcome in ("promoted", "kept")
                    assert parent.verdict.comparisons[0].difference > 0


def test_two_winners_are_merged_and_merging_can_be_turned_off():
    story = [("kept", 0.0, 0), ("promoted", 0.05, 0), ("promoted", 0.1, 0), ("kept", 0.02, 1)]
    config = Config()
    records, search = [], make_search(config)
    for _ in range(3):
        plans = search.next_generation(records, config)
        records += [closed(plan, *story[len(records) + i]) for i, plan in enumerate(plans)]
    (plan,) = search.next_generation(records, config)
    assert (plan.kind, plan.parents, plan.incumbent) == ("merge", ("v002", "v003"), "v002")
    config.search.merge = False
    assert [plan.kind for plan in search.next_generation(records, config)] == ["candidate", "candidate"]


pools = st.lists(st.tuples(st.booleans(), st.floats(-0.2, 0.2)), min_size=len(SETTINGS), max_size=len(SETTINGS))


@settings(deadline=None, derandomize=True, max_examples=60)
@given(pools, st.sampled_from(FROM_THE_INCUMBENT))
def test_slots_never_agree_and_the_accepted_come_first(pool, name):
    config = Config()
    config.search.name = name
    candidates = [intervention(index) for index in range(len(pool))]
    tests = [backtest(index, *values) for index, values in enumerate(pool)]
    chosen = [make_search(config).select(candidates, tests, slot, config) for slot in range(len(pool))]
    assert sorted(chosen) == list(range(len(pool)))
    if name == "evotrainer":
        accepted = [tests[index].accepted for index in chosen]
        assert accepted == sorted(accepted, reverse=True)
        best = [tests[index].predicted_effect for index in chosen if tests[index].accepted]
        assert not best or best[0] == max(best)
