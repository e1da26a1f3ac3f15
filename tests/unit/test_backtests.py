"""Backtests on cached rows: hand-made groups where the answer is known, a tiny real policy for the gradient replay."""

import math
from dataclasses import replace
from itertools import product

import pytest

from evotrainer.algorithm.kl_budget import kl_headroom
from evotrainer.backtests import Probe, ReplayInputs, backtest, backtest_pool
from evotrainer.backtests.forecast import Replayed, predicted_effect, progress, saturating
from evotrainer.backtests.replay import replay, rescored
from evotrainer.config import Config
from evotrainer.config.interventions import apply, merge, with_values
from evotrainer.engines import create_rollout_engine
from evotrainer.engines.base import SamplingParams
from evotrainer.records import Intervention, Trajectory
from evotrainer.rollouts.episodes import EpisodeIdentity, EpisodeRules, play_attempts
from evotrainer.search.base import best_accepted, rests_on_nothing
from evotrainer.training import replay_steps
from tests.backtest_groups import evidence, group
from tests.campaign_writer import make_intervention
from tests.proposals import rules


def judged(setting: dict, rows: list[Trajectory], parent: Config | None = None):
    parent = parent or Config()
    step = make_intervention(parent, setting, "score", 0.01)
    return backtest(step, parent, apply(parent, step.diff), evidence(rows))


MIXED = [row for index in range(10) for row in group(f"a{index}", "1100")]
DEAD = [row for index in range(10) for row in group(f"b{index}", "0000")]


def test_signal_quality_ignores_scale_and_falls_with_noise():
    plain = replay(MIXED, Config()).quality
    tripled = replay(MIXED, with_values(Config(), {"reward.correct": 3.0, "algorithm.advantage": "group_mean"})).quality
    assert tripled == pytest.approx(plain)
    noisy = [row for i in range(10) for row in group(f"a{i}", "1100", partial=[1.0, 0.0, 1.0, 0.0])]
    assert replay(noisy, with_values(Config(), {"reward.partial": 1.0})).quality < 0.95 * plain


def test_a_term_that_says_nothing_of_correctness_revives_groups_without_worth():
    useful = [row for i in range(10) for row in group(f"a{i}", "1100", partial=[1.0, 1.0, 0.0, 0.0])]
    useless = [row for i in range(10) for row in group(f"a{i}", "1100", partial=[1.0, 0.0, 1.0, 0.0])]
    spread = [row for i in range(10) for row in group(f"b{i}", "0000", partial=[1.0, 0.0, 0.0, 1.0])]
    setting = {"reward.partial": 0.5}
    good, phantom = judged(setting, useful + spread), judged(setting, useless + spread)
    assert good.usable_groups_after == 1.0
    assert phantom.usable_groups_after == 0.5
    assert good.usable_groups_before == 0.5
    assert good.predicted_effect > 0.001
    assert phantom.predicted_effect < 0


def groups(outcomes: str, count: int = 6, **columns) -> list[Trajectory]:
    """Return equal groups, one a problem."""
    return [row for index in range(count) for row in group(f"a{index}", outcomes, **columns)]


CUT = groups("1100", tokens=[30, 10, 12, 9])


@pytest.mark.parametrize(
    ("setting", "rows", "reason"),
    [
        (
            {"reward.format": 2.0},
            groups("1100", format=[0.0, 0.0, 1.0, 1.0]),
            "outrank correct ones in 100.0% of pairs",
        ),
        ({"sampling.max_response_tokens": 24}, CUT, "would cut 50.0% of correct attempts, limit 5%"),
        ({"sampling.max_response_tokens": 64}, MIXED, "changes nothing"),
        ({"filter.group": "ragen_v1", "filter.keep_ratio": 0.2}, MIXED, "only 20.0% of groups would reach the loss"),
        (
            {"sampling.group_size": 2, "sampling.problems_per_step": 64},
            groups("10000000", 8),
            "usable groups fall from 100.0%",
        ),
        ({"data.curriculum": "band", "data.band_low": 0.6, "data.band_high": 0.8}, MIXED, "band"),
        ({"reward.format": 0.1}, DEAD, "gradient vanishes"),
    ],
    ids=["order", "cut", "nothing cut", "filter", "smaller groups", "band", "no signal"],
)
def test_what_cannot_pay_is_refused_with_its_reason(setting, rows, reason):
    found = judged(setting, rows)
    assert not found.accepted
    assert reason in found.reason


def test_an_attempt_beyond_a_smaller_budget_is_scored_as_cut_and_wrong():
    cut = rescored(CUT[0], with_values(Config(), {"sampling.max_response_tokens": 20}))
    assert (cut.reward, cut.correct, cut.is_truncated, cut.num_tokens) == (0.0, 0.0, True, 20)


def test_a_budget_that_cuts_long_failures_pays():
    found = judged({"sampling.max_response_tokens": 24}, groups("1100", tokens=[10, 10, 48, 48]))
    assert found.accepted
    assert found.predicted_effect > 0


def test_dropping_dead_groups_alone_is_a_no_op_and_refilling_has_its_price():
    dropped = judged({"filter.group": "group_variance"}, MIXED + DEAD)
    assert dropped.predicted_effect == 0.0
    refilled = judged({"filter.group": "group_variance", "filter.refill": True}, MIXED + DEAD)
    assert refilled.numbers["filter_speed"] == pytest.approx(0.5**0.5)
    assert refilled.predicted_effect < 0


def test_more_and_smaller_steps_gain_less_than_their_number():
    found = judged({"sampling.problems_per_step": 8}, MIXED)
    assert found.numbers["sampling_speed"] == pytest.approx(2**0.5)
    assert 0 < found.predicted_effect < 0.05


def test_a_mixture_by_signal_leaves_the_mastered_for_the_mixed():
    rows = MIXED + [row for i in range(10) for row in group(f"c{i}", "1111")]
    found = judged({"data.mixture": "by_signal"}, rows)
    assert found.usable_groups_after > found.usable_groups_before == 0.5
    assert found.predicted_effect > 0
    assert found.numbers["speed_a"] > 1


def test_what_a_finding_asks_for_comes_before_explorations_that_promise_more():
    """21 of 48 groups are all right or all wrong; smaller batches, which nothing speaks for, are predicted to pay."""
    outcomes = (
        [f"a{'1' * 8}"] * 13 + [f"t{'0' * 8}"] * 8 + [f"{'amd'[i % 3]}{'1' * (i % 7 + 1):0<8}" for i in range(27)]
    )
    rows = [row for place, name in enumerate(outcomes) for row in group(f"{name[0]}{place}", name[1:])]
    metrics = {"dead_group_ratio": 21 / 48, "solve_rate": 0.5}
    pool = rules(metrics=metrics, modes=["dead_groups"])
    found = [backtest(one, Config(), apply(Config(), one.diff), evidence(rows)) for one in pool]
    order = best_accepted(pool, found)
    first, most = pool[order[0]], max(found, key=lambda one: one.predicted_effect)
    assert "dead_groups" in first.evidence and "44%" in first.hypothesis
    assert first.factor in ("group_size", "mixture", "curriculum") and found[order[0]].predicted_effect > 0
    assert rests_on_nothing(next(one for one in pool if one.intervention_id == most.intervention_id))


def effect(speed, rows):
    return predicted_effect([Replayed("filter", speed)], rows)


def test_effects_are_bounded_by_the_headroom():
    rows = evidence(MIXED)
    assert effect(1.0, rows) == 0.0
    assert effect(2.0, rows) > 0 > effect(0.5, rows)
    wrong, gained = float((1 - rows.graded.correct).mean()), 1 - 0.6 / 0.7
    assert effect(0.0, rows) == pytest.approx(-wrong * 0.7 / 0.6 * gained)
    assert max(saturating(speed) for speed in (1.5, 2, 2.718281828, 4, 8)) == saturating(2.718281828)
    assert saturating(8) < 1


def test_speed_pays_as_far_as_the_run_has_room():
    assert kl_headroom(0.001) > kl_headroom(0.01) > kl_headroom(0.02) >= kl_headroom(1.0) > 0
    assert kl_headroom(None) == kl_headroom(0.0) == 1.0
    assert saturating(4, kl_headroom(0.001)) > saturating(2, kl_headroom(0.001)) > 1
    assert saturating(2, kl_headroom(0.03)) > saturating(4, kl_headroom(0.03))
    near, far = (replace(evidence(MIXED), run_kl=kl) for kl in (0.1, 0.001))
    effects = [effect(4.0, one) for one in (near, far)]
    assert effects[0] < effects[1]


def test_a_run_that_went_too_far_and_lost_is_best_repeated_slower():
    assert kl_headroom(0.28, has_lost=True) == pytest.approx(math.log(0.03 / 0.28) / 1.5)
    assert kl_headroom(0.02, has_lost=True) == kl_headroom(0.02)
    left = kl_headroom(0.28, has_lost=True)
    best = math.exp(left)
    assert 1 == saturating(best, left) > saturating(1.0, left) > 0
    lost = replace(evidence(MIXED, base=0.45, score=0.34), run_kl=0.28, is_trained=False)
    slower, same, faster = (effect(speed, lost) for speed in (best, 1.0, 2.0))
    assert slower > same > faster == 0.0


def test_an_incumbent_without_gain_still_leaves_something_to_learn():
    assert progress(0.5, 0.4) == progress(None, 0.4) > 0
    assert progress(0.0, 0.5) > progress(0.0, 0.3)


SMALL = with_values(
    Config(),
    {
        "sampling.max_response_tokens": 8,
        "sampling.group_size": 4,
        "sampling.problems_per_step": 8,
        "budget.probe_rollouts": 32,
        "engine.device": "cpu",
    },
)


@pytest.fixture(scope="module")
def cached(digit_policy, digit_problems) -> ReplayInputs:
    """Real groups of a tiny real policy."""
    engine = create_rollout_engine(SMALL, digit_policy)
    rules = EpisodeRules(SMALL.domain, SamplingParams(8), 1, SMALL.reward)
    identity = EpisodeIdentity("c", "v002", "rollout", 0)
    rows, tokens = play_attempts(engine, [*product(digit_problems[:40], range(4))], rules, identity)
    return ReplayInputs(rows, tokens, digit_policy, digit_problems, 0.3, 0.5)


def step_of(setting: dict, parent: Config = SMALL) -> Intervention:
    return make_intervention(parent, setting, "score", 0.01)


@pytest.mark.parts
def test_one_step_replay_ranks_step_sizes_and_refuses_the_wild_one(cached):
    pool = [step_of({"algorithm.learning_rate": rate}) for rate in (3.2e-5, 1.28e-4, 0.05)]
    small, large, wild = backtest_pool(pool, SMALL, cached, replay_steps)
    assert small.predicted_effect < 0 < large.predicted_effect
    assert large.accepted
    assert large.numbers["margin_after"] > large.numbers["margin_before"] > 0
    assert not wild.accepted
    assert "times the present one" in wild.reason


@pytest.mark.parts
def test_a_pool_and_a_single_backtest_agree(cached):
    step, other = step_of({"algorithm.advantage": "group_mean"}), step_of({"algorithm.learning_rate": 1e-3})
    alone = backtest(step, SMALL, apply(SMALL, step.diff), cached, replay_steps)
    assert backtest_pool([other, step], SMALL, cached, replay_steps)[1] == alone


@pytest.mark.parts
def test_the_step_shows_what_a_term_costs_that_pays_one_token_everywhere(cached):
    """Signal quality counts a term that says nothing of correctness once; in the gradient it adds up over groups."""
    digit = {turn.trajectory_id: turn.token_ids[1] for turn in cached.tokens}
    rows = [
        row.model_copy(update={"reward_terms": dict(row.reward_terms) | {"format": digit[row.trajectory_id] % 2}})
        for row in cached.rows
    ]
    evidence = replace(cached, rows=rows)
    priced = with_values(SMALL, {"reward.format": 0.8})
    removal = step_of({"reward.format": 0.0}, priced)
    found = backtest(removal, priced, apply(priced, removal.diff), evidence, replay_steps)
    assert found.numbers["margin_after"] > 1.05 * found.numbers["margin_before"]
    assert found.predicted_effect > 0
    on_rows_alone = backtest(removal, priced, apply(priced, removal.diff), evidence)
    assert "margin_after" not in on_rows_alone.numbers
    assert on_rows_alone.numbers["quality_ratio"] == found.numbers["quality_ratio"]


@pytest.mark.parts
def test_what_a_first_step_cannot_show_is_said(cached):
    step = step_of({"algorithm.adam_beta2": 0.95})
    found = backtest(step, SMALL, apply(SMALL, step.diff), cached, replay_steps)
    assert found.accepted
    assert found.predicted_effect == 0.0
    assert "one step cannot show the memory of an optimiser" in found.reason
    parent = with_values(SMALL, {"algorithm.num_minibatches": 2})
    wide = step_of({"algorithm.dual_clip": 50.0}, parent)
    found = backtest(wide, parent, apply(parent, wide.diff), cached, replay_steps)
    assert found.predicted_effect == 0.0
    assert "the step is the same" in found.reason


@pytest.mark.parts
def test_temperature_is_probed_within_its_budget_and_repeatably(cached):
    step = step_of({"sampling.temperature": 0.3})
    child = apply(SMALL, step.diff)
    unprobed = backtest(step, SMALL, child, cached)
    assert unprobed.predicted_effect == 0.0
    assert "probe" in unprobed.reason
    probe = Probe(create_rollout_engine(SMALL, cached.policy_path), "c", "v002", 0)
    found = backtest(step, SMALL, child, cached, probe=probe)
    assert found == backtest(step, SMALL, child, cached, probe=replace(probe, version="v003"))
    assert 0 < found.numbers["probe_tokens"] <= 32 * 8
    assert found.usable_groups_after < found.usable_groups_before
    assert found.predicted_effect < 0


@pytest.mark.parts
def test_a_merge_adds_the_effects_of_its_factors(cached):
    one, other = step_of({"algorithm.learning_rate": 1.28e-4}), step_of({"sampling.problems_per_step": 4})
    union = merge(one, other, SMALL, parents=["v002", "v003"])
    together = backtest(union, SMALL, apply(SMALL, union.diff), cached, replay_steps)
    apart = [backtest(step, SMALL, apply(SMALL, step.diff), cached, replay_steps) for step in (one, other)]
    assert together.predicted_effect == pytest.approx(sum(found.predicted_effect for found in apart), abs=1e-5)
    assert together.family in ("algorithm+sampling", "sampling+algorithm")
