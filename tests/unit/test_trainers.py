from dataclasses import replace

import pytest

from evotrainer.agents.base import agent_view
from evotrainer.agents.rule_table import RULES
from evotrainer.agents.rules import calibrated, continuations, direction, failed_directions
from evotrainer.campaign.lineage import incumbent
from evotrainer.campaign.repository import read_records
from evotrainer.config import Config
from evotrainer.config.factors import factor_table, recipe_hash
from evotrainer.config.interventions import apply, check, with_values
from evotrainer.domains import DOMAINS, find_domain
from evotrainer.records import Condition, Confirmation, Intervention, MetricShift, VersionRecord
from tests.campaign_writer import CampaignWriter, base_and_baseline, make_intervention
from tests.evolving_campaign import changed, comparison, record
from tests.plain_records import plain_finding
from tests.proposals import TIMID, context, rule_names, rules
from tests.trainer_agents import agent_of

ALL = factor_table([factor for name in DOMAINS for factor in find_domain(name).factors])
FASTER = make_intervention(Config(), {"algorithm.learning_rate": 1.28e-4}, "score", 0.05)


def after(writer: CampaignWriter, lift: float | None, change: Intervention = FASTER, **values) -> list[VersionRecord]:
    """Return base policy, baseline and v002, which tried a change."""
    base_and_baseline(writer)
    writer.add("v002", lift, generation=2, intervention=change, **values)
    return read_records(writer.files)


def test_every_rule_belongs_to_a_factor_and_its_prediction_is_well_formed():
    assert len({rule.name for rule in RULES}) == len(RULES)
    for rule in RULES:
        assert rule.factor in ALL, rule.name
        assert rule.low <= rule.size <= rule.high, rule.name
        assert rule.size != 0, rule.name
        assert set(rule.step(Config(), {})) <= set(ALL[rule.factor].keys), rule.name


def test_without_findings_it_explores_lawfully_and_deterministically():
    proposals = rules()
    assert proposals == rules()
    assert len(proposals) >= 12
    assert all(name.startswith("rule:explore") for name in rule_names(proposals)), "nothing was measured"
    assert len({proposal.factor for proposal in proposals}) >= 10
    for proposal in proposals:
        check(proposal, Config())


@pytest.mark.parametrize(
    ("metrics", "modes", "factor"),
    [
        ({"dead_group_ratio": 0.45}, (), "group_size"),
        ({}, ("dead_groups",), "group_size"),
        ({"truncation_rate": 0.3}, (), "response_budget"),
        ({"format_failure_rate": 0.2}, (), "format_reward"),
        ({"length_reward_corr": 0.5}, (), "length_reward"),
        ({"mean_logprob": -0.03}, ("entropy_collapse",), "entropy"),
    ],
)
def test_what_is_observed_decides_what_comes_first(metrics, modes, factor):
    first = rules(metrics=metrics, modes=modes)[0]
    assert first.factor == factor
    assert first.hypothesis.startswith("if ")
    for value in metrics.values():
        assert any(f"{value:{form}}" in first.hypothesis for form in (".0%", ".2f", ".3f"))


def test_a_trained_policy_that_hardly_moved_gets_larger_steps(campaign_writer):
    base_and_baseline(campaign_writer)
    records = read_records(campaign_writer.files)
    proposals = rules(records, metrics=TIMID)
    assert proposals[0].factor == "learning_rate"
    assert proposals[0].diff["algorithm.learning_rate"] == (6.4e-05, 0.000245)
    assert "0.0040 nats" in proposals[0].hypothesis
    assert {"kl", "clip_fraction"} < {trigger.metric for trigger in proposals[0].triggers}
    assert proposals[0].success[0].value == pytest.approx(records[1].verdict.score)


@pytest.mark.parametrize(("kl", "rate"), [(0.0001, 2.56e-4), (0.02, 1.06e-4), (0.0106, 1.28e-4)])
def test_the_step_follows_how_far_the_run_went(campaign_writer, kl, rate):
    base_and_baseline(campaign_writer)
    first = rules(read_records(campaign_writer.files), metrics=TIMID | {"kl": kl})[0]
    assert first.diff["algorithm.learning_rate"][1] == pytest.approx(rate, rel=0.01)


@pytest.mark.parametrize(("kl", "rate"), [(0.28, 1.44e-5), (0.21, 1.75e-5), (9.0, 6.4e-6)])
def test_a_campaigns_own_recipe_that_ran_too_far_is_slowed_though_the_base_policy_leads(campaign_writer, kl, rate):
    campaign_writer.add("v000", 0.4, generation=0, kind="base", incumbent="v000", parents=[])
    campaign_writer.add("v001", 0.1, generation=1, kind="baseline", incumbent="v000", metrics={"kl": kl})
    first = rules(read_records(campaign_writer.files), metrics={"dead_group_ratio": 0.1}, version="v000")[0]
    assert first.diff == {"algorithm.learning_rate": (6.4e-05, rate)}


def test_a_price_of_length_that_teaches_to_fail_sooner_is_removed():
    priced = with_values(Config(), {"reward.length_penalty": 0.3})
    reading = {"length_reward_corr_failures": -0.9}
    proposals = rules(config=priced, metrics=reading, modes=("length_gaming",))
    assert proposals[0].diff == {"reward.length_penalty": (0.3, 0.0)}
    assert "rule:penalty_hurts" in proposals[0].evidence
    assert "length_reward" not in [proposal.factor for proposal in rules(metrics=reading)[:1]]


def test_a_direction_that_failed_is_not_tried_again(campaign_writer):
    records = after(campaign_writer, 0.05)
    assert records[2].verdict.outcome == "rejected"
    proposals = rules(records, metrics=TIMID, generation=3)
    assert direction(FASTER.diff) not in [direction(proposal.diff) for proposal in proposals]
    assert "kl" in [proposal.factor for proposal in proposals]


def test_what_a_backtest_refused_may_return_under_another_incumbent(campaign_writer):
    short = make_intervention(Config(), {"sampling.temperature": 0.8}, "score", 0.01)
    records = after(campaign_writer, None, short, reason="no")
    assert direction(short.diff) not in [direction(p.diff) for p in rules(records)]
    moved = with_values(Config(), {"algorithm.learning_rate": 1e-4})
    assert direction(short.diff) in [direction(p.diff) for p in rules(records, config=moved, version="v003")]


def test_a_direction_that_paid_is_continued_first(campaign_writer):
    records = after(campaign_writer, 0.75)
    assert incumbent(records) == "v002"
    config = apply(Config(), FASTER.diff)
    first = rules(records, config=config, metrics=TIMID, version="v002", generation=3)[0]
    assert first.diff == {"algorithm.learning_rate": (1.28e-4, 2.56e-4)}
    assert first.evidence == ["paid:v002"]
    assert "v002" in first.hypothesis


def test_whole_numbers_stay_whole_when_continued(campaign_writer):
    setting = {"sampling.group_size": 16, "sampling.problems_per_step": 8}
    larger = make_intervention(Config(), setting, "score", 0.05)
    records = after(campaign_writer, 0.75, larger)
    ((record, further),) = continuations(records, apply(Config(), larger.diff), "v002")
    assert record.spec.version == "v002"
    assert further == {"sampling.group_size": 32, "sampling.problems_per_step": 4}


def test_tried_recipes_are_not_proposed(campaign_writer):
    tried = rules()[0]
    records = after(campaign_writer, 0.32, tried)
    child = recipe_hash(apply(Config(), tried.diff))
    assert child in {record.config_hash for record in records}
    for agent in ("rules", "random"):
        config = Config()
        config.trainer.name = agent
        for proposal in agent_of(config).propose(context(records, generation=3)):
            assert recipe_hash(apply(Config(), proposal.diff)) != child


def test_credence_follows_hits_and_misses(campaign_writer):
    hit = after(campaign_writer, 0.75)
    assert hit[2].verdict.prediction_hit is True
    assert calibrated(0.5, hit, "learning_rate") > calibrated(0.5, hit, "kl") > 0.5
    unbound = make_intervention(Config(), {"algorithm.kl_coefficient": 0.0}, "score", 0.05)
    campaign_writer.add("v003", 0.1, generation=2, slot=1, intervention=unbound)
    both = read_records(campaign_writer.files)
    assert both[3].verdict.prediction_hit is False
    assert calibrated(0.5, both, "kl") < 0.5
    assert (calibrated(0.5, [], "kl", (4.0, 0.0)), calibrated(0.5, [], "kl", (0.0, 4.0))) == (0.75, 0.25)


def test_every_author_keeps_what_evolved_diagnostics_hold_for_healthy(campaign_writer):
    records = after(campaign_writer, 0.75)
    guard = Condition(metric="hedges", operator="<=", value=4.0)
    for agent in ("rules", "random", "shuffled"):
        config = apply(Config(), FASTER.diff)
        config.trainer.name = agent
        found = context(records, config, TIMID | {"hedges": 3.0}, version="v002")
        asked = replace(found, report=found.report.model_copy(update={"guards": [guard]}))
        proposals = agent_of(config).propose(asked)
        assert proposals and all(guard in proposal.limits for proposal in proposals)


def test_every_proposal_names_what_must_not_move():
    metrics = TIMID | {"dead_group_ratio": 0.45, "format_failure_rate": 0.2}
    proposals = rules(metrics=metrics)
    for proposal in proposals:
        named = {control.metric: control.value for control in proposal.negative_controls}
        assert named and proposal.prediction.metric not in named, proposal.hypothesis
        assert all(
            value == pytest.approx(metrics[metric] + 0.1)
            for metric, value in named.items()
            if metric in ("truncation_rate", "format_failure_rate")
        )


def test_one_lucky_seed_is_not_continued(campaign_writer):
    records = after(campaign_writer, 0.6)
    assert incumbent(records) == "v002"
    assert [found.spec.version for found, _ in continuations(records, Config(), "v002")] == ["v002"]
    tested = Confirmation(version="v002", attribution="NOT_FIRED")
    records[2] = records[2].model_copy(update={"confirmation": tested})
    assert continuations(records, Config(), "v002") == []


@pytest.mark.parametrize(
    ("outcome", "label", "is_failed"),
    [("rejected", "", True), ("rejected", "duplicate", False), ("inconclusive", "lost_attempts", False)],
)
def test_a_direction_fails_by_a_trial_alone(campaign_writer, outcome, label, is_failed):
    records = after(campaign_writer, 0.0)
    records[2] = changed(records[2], verdict={"outcome": outcome, "label": label})
    assert (direction(FASTER.diff) in failed_directions(records, "v001")) is is_failed


def test_a_prediction_over_seeds_outweighs_that_of_one(campaign_writer):
    records = after(campaign_writer, 0.6)
    assert records[2].verdict.prediction_hit
    missed = MetricShift(metric="score", said="score up", difference=-0.01, low=-0.02, high=0.0, came_true=False)
    tested = Confirmation(version="v002", prediction=missed, attribution="NOT_FIRED")
    luck = [*records[:2], records[2].model_copy(update={"confirmation": tested})]
    assert calibrated(0.5, records, "learning_rate") > 0.5 > calibrated(0.5, luck, "learning_rate")


def found(diagnostic, *rows, reads_validation=False):
    return plain_finding(diagnostic, version="v000", trajectory_ids=list(rows), reads_validation=reads_validation)


def test_an_agent_sees_score_and_interval_and_nothing_else_of_validation(campaign_writer):
    campaign_writer.add("v000", 0.0, generation=0, kind="base", incumbent="v000", parents=[])
    findings = [
        found("flaky_grading", "v000.validation.0.p.1"),
        found("my_gap", reads_validation=True),
        found("truncation", "v000.train.0.p.1", "v000.validation.0.p.1"),
        found("dead_groups", "v000.train.0.p.1"),
    ]
    metrics = {"score": 0.5, "score_low": 0.4, "greedy_score": 0.8, "visible_hidden_gap": 0.1, "kl": 0.2}
    (base,) = read_records(campaign_writer.files)
    made = changed(base, verdict={"score": 0.5, "greedy_score": 0.8}, findings=findings, metrics=metrics)
    seen = agent_view([made])[0]
    assert [finding.diagnostic for finding in seen.findings] == ["dead_groups"]
    assert seen.metrics == {"score": 0.5, "score_low": 0.4, "kl": 0.2}
    assert (seen.verdict.score, seen.verdict.greedy_score) == (0.5, None)


def test_of_fresh_seeds_an_agent_sees_the_claim_but_no_metric_of_validation_rows(campaign_writer):
    campaign_writer.add("v000", 0.0, generation=0, kind="base", incumbent="v000", parents=[])
    shifts = [
        MetricShift(metric=name, said="still", difference=0.1, came_true=True)
        for name in ("visible_hidden_gap", "truncation_rate")
    ]
    asked = Confirmation(
        version="v000",
        prediction=shifts[0],
        controls=tuple(shifts),
        attribution="FIRED",
        reasons=["visible_hidden_gap moved by +0.1"],
    )
    record = read_records(campaign_writer.files)[0].model_copy(update={"confirmation": asked})
    seen = agent_view([record])[0].confirmation
    assert seen is not None and seen.attribution == "FIRED"
    assert seen.prediction is None and seen.reasons == []
    assert [control.metric for control in seen.controls] == ["truncation_rate"]


BEFORE = [record("v000", ""), record("v001", "good", outcome="promoted")]


def tried(difference: float, version: str = "v002", **values) -> VersionRecord:
    """Return a version whose learning rate was doubled, and which moved by so much against v001."""
    made = record(version, "", **{"intervention": FASTER} | values)
    return changed(made, verdict={"comparisons": [comparison("v001", difference, 0.3)]})


@pytest.mark.parametrize(
    ("difference", "reigning", "goes_on", "has_failed"),
    [
        (0.02, "v001", True, False),
        (-0.02, "v001", False, True),
        (0.0, "v001", False, False),
        (0.02, "v003", False, False),
    ],
)
def test_what_was_kept_goes_on_with_a_gain_over_the_incumbent_and_fails_with_a_loss(
    difference, reigning, goes_on, has_failed
):
    records = [*BEFORE, tried(difference)]
    assert bool(continuations(records, Config(), reigning)) is goes_on
    assert (direction(FASTER.diff) in failed_directions(records, reigning)) is has_failed


def test_of_two_winners_the_one_on_the_way_to_the_incumbent_goes_on():
    records = [*BEFORE, *(tried(0.05, name, outcome="promoted") for name in ("v002", "v003"))]
    found = [made.spec.version for made, _ in continuations(records, Config(), incumbent(records))]
    assert found == [incumbent(records)]


def test_a_step_from_nothing_has_no_ratio_to_go_on_by():
    off = with_values(Config(), {"algorithm.kl_coefficient": 0.0})
    on = make_intervention(off, {"algorithm.kl_coefficient": 0.01}, "score", 0.05)
    assert continuations([*BEFORE, tried(0.02, intervention=on)], off, "v001") == []
