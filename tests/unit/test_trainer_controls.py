"""The control agents: random, and rules on shuffled findings."""

import pytest

from evotrainer.agents.base import SIDE_EFFECTS, rises
from evotrainer.agents.controls import ShuffledAgent
from evotrainer.campaign.lineage import incumbent
from evotrainer.campaign.repository import read_records
from evotrainer.config import Config
from tests.campaign_writer import base_and_baseline
from tests.proposals import TIMID, context, rule_names, rules
from tests.trainer_agents import agent_of

pytestmark = pytest.mark.slow


def asked(agent, seed=0, **kwargs):
    config = Config(seed=seed)
    config.trainer.name = agent
    return agent_of(config).propose(context(config=config, **kwargs))


def test_the_control_sees_nothing_and_changes_with_seed_and_generation():
    def draw(**kwargs):
        return [p.diff for p in asked("random", **kwargs)]

    plain = draw()
    assert plain == draw(metrics={"dead_group_ratio": 0.9}, modes=("dead_groups",))
    assert plain != draw(seed=1)
    assert plain != draw(generation=3)
    assert sorted(map(str, plain)) == sorted(map(str, draw(seed=1)))


def test_shuffled_findings_fire_other_rules_and_leave_limits_alone():
    readings = {"metrics": {"dead_group_ratio": 0.45} | TIMID, "modes": ("dead_groups",)}
    true, dealt = rules(**readings), [asked("shuffled", seed=seed, **readings) for seed in range(6)]
    assert dealt[0] == asked("shuffled", seed=0, **readings)
    assert any(rule_names(proposals) != rule_names(true) for proposals in dealt)
    assert len({tuple(rule_names(proposals)) for proposals in dealt}) > 1
    limits = {proposal.factor: proposal.limits for proposal in true}
    for proposals in dealt:
        assert {proposal.factor: proposal.limits for proposal in proposals if proposal.factor in limits}.items() <= (
            limits.items()
        )


def test_what_stands_in_for_a_base_policy_is_dealt_out_too(campaign_writer):
    campaign_writer.add("v000", 0.0, generation=0, kind="base", incumbent="v000", parents=[])
    campaign_writer.add("v001", -0.9, generation=1, kind="baseline", incumbent="v000", metrics={"kl": 0.9})
    records = read_records(campaign_writer.files)
    metrics = {f"metric_{number}": float(number) for number in range(1, 8)}
    seen = []
    for seed in range(6):
        found = context(records, Config(seed=seed), metrics, version="v000")
        assert incumbent(records) == "v000" and found.reading["kl"] == 0.9
        dealt, _ = ShuffledAgent().observed(found)
        assert dealt["gain"] == found.reading["gain"] < 0
        assert sorted(dealt.values()) == sorted(found.reading.values())
        seen.append(dealt["kl"])
    assert any(kl != 0.9 for kl in seen)


def test_rules_on_shuffled_findings_step_as_far_as_these_say(campaign_writer):
    base_and_baseline(campaign_writer)
    readings = {"records": read_records(campaign_writer.files), "metrics": TIMID | {"entropy": 0.019}}
    dealt = [proposal for seed in range(12) for proposal in asked("shuffled", seed=seed, **readings)]
    steps = {str(found.diff) for found in dealt if "rule:timid_steps" in found.evidence}
    assert len(steps) > 1  # by the distance that was dealt, not the measured one


def test_a_blind_candidate_promises_what_any_other_does():
    readings = {"metrics": TIMID | {"score": 0.4}}
    blind = asked("random", **readings)
    limits = {tuple(proposal.limits) for proposal in rules(**readings) if proposal.prediction.metric == "score"}
    assert {tuple(proposal.limits) for proposal in blind} == limits
    assert all(limits)
    assert [(limit.metric, limit.value) for limit in blind[0].limits] == [
        ("truncation_rate", 0.17),
        ("format_failure_rate", 0.16),
    ]
    assert [limit.metric for limit in rises(SIDE_EFFECTS, "truncation_rate", TIMID)] == ["format_failure_rate"]


def test_without_findings_there_is_nothing_to_shuffle():
    assert [proposal.diff for proposal in asked("shuffled")] == [proposal.diff for proposal in rules()]
