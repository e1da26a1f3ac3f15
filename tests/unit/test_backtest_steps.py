"""A replayed gradient step ranks settings of one factor, by what it does to attempts that were held out."""

from dataclasses import replace

import pytest

from evotrainer.backtests import Probe, ReplayInputs, backtest, backtest_pool
from evotrainer.config import Config
from evotrainer.config.interventions import apply, merge, with_values
from evotrainer.engines import create_rollout_engine
from evotrainer.engines.base import SamplingParams
from evotrainer.records import Intervention
from evotrainer.rollouts.episodes import EpisodeIdentity, EpisodeRules, run_episodes
from evotrainer.training import create_train_engine
from tests.campaign_writer import make_intervention

pytestmark = pytest.mark.parts

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
    rows, tokens = run_episodes(engine, digit_problems[:40], 4, rules, identity)
    return ReplayInputs(rows, tokens, digit_policy, digit_problems, 0.3, 0.5)


def step_of(setting: dict, parent: Config = SMALL) -> Intervention:
    return make_intervention(parent, setting, "score", 0.01)


def test_one_step_replay_ranks_step_sizes_and_refuses_the_wild_one(cached):
    pool = [step_of({"algorithm.learning_rate": rate}) for rate in (3.2e-5, 1.28e-4, 0.05)]
    small, large, wild = backtest_pool(pool, SMALL, cached, create_train_engine(SMALL).replay_step)
    assert small.predicted_effect < 0 < large.predicted_effect
    assert large.accepted
    assert large.numbers["margin_after"] > large.numbers["margin_before"] > 0
    assert not wild.accepted
    assert "times the present one" in wild.reason


def test_a_pool_and_a_single_backtest_agree(cached):
    replayer, step = create_train_engine(SMALL).replay_step, step_of({"algorithm.advantage": "group_mean"})
    other = step_of({"algorithm.learning_rate": 1e-3})
    alone = backtest(step, SMALL, apply(SMALL, step.diff), cached, replayer)
    assert backtest_pool([other, step], SMALL, cached, replayer)[1] == alone


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
    found = backtest(removal, priced, apply(priced, removal.diff), evidence, create_train_engine(SMALL).replay_step)
    assert found.numbers["margin_after"] > 1.05 * found.numbers["margin_before"]
    assert found.predicted_effect > 0
    on_rows_alone = backtest(removal, priced, apply(priced, removal.diff), evidence)
    assert "margin_after" not in on_rows_alone.numbers
    assert on_rows_alone.numbers["quality_ratio"] == found.numbers["quality_ratio"]


def test_what_a_first_step_cannot_show_is_said(cached):
    step = step_of({"algorithm.adam_beta2": 0.95})
    found = backtest(step, SMALL, apply(SMALL, step.diff), cached, create_train_engine(SMALL).replay_step)
    assert found.accepted
    assert found.predicted_effect == 0.0
    assert "one step cannot show the memory of an optimiser" in found.reason
    parent = with_values(SMALL, {"algorithm.num_minibatches": 2})
    wide = step_of({"algorithm.dual_clip": 50.0}, parent)
    found = backtest(wide, parent, apply(parent, wide.diff), cached, create_train_engine(SMALL).replay_step)
    assert found.predicted_effect == 0.0
    assert "the step is the same" in found.reason


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


def test_a_merge_adds_the_effects_of_its_factors(cached):
    replayer = create_train_engine(SMALL).replay_step
    one, other = step_of({"algorithm.learning_rate": 1.28e-4}), step_of({"sampling.problems_per_step": 4})
    union = merge(one, other, SMALL, parents=["v002", "v003"])
    together = backtest(union, SMALL, apply(SMALL, union.diff), cached, replayer)
    apart = [backtest(step, SMALL, apply(SMALL, step.diff), cached, replayer) for step in (one, other)]
    assert together.predicted_effect == pytest.approx(sum(found.predicted_effect for found in apart), abs=1e-5)
    assert together.family in ("algorithm+sampling", "sampling+algorithm")
