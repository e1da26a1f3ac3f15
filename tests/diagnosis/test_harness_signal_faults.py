"""Planted faults of rewards, advantages and gradients are named; what is healthy stays silent."""

import numpy as np
import pytest

from evotrainer.algorithm.credit import assign_credit
from evotrainer.algorithm.filters import create_filter
from evotrainer.config import Config, FilterConfig, RewardConfig
from evotrainer.records import Trajectory
from tests.evidence_rows import MAX_TOKENS, change, healthy_rows, repeated, trained_rows, with_reward
from tests.examination import base_harness, examine, finding_of, modes

SEEDS = range(3)


@pytest.fixture(scope="module")
def harness():
    return base_harness()


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize(
    "way",
    [
        lambda seed: repeated(healthy_rows(seed), 0.6),
        lambda seed: healthy_rows(seed, ease=(0.1, 0.1)),
        lambda seed: change(healthy_rows(seed), lambda row: {"reward": 0.5, "reward_terms": {"style": 0.5}}),
    ],
    ids=["repeated attempts", "too easy or too hard", "blind reward"],
)
def test_dead_groups(harness, seed, way):
    finding = finding_of(harness, "dead_groups", way(seed))
    assert finding.trajectory_ids
    assert finding.thresholds["min_groups"] == 10


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize(
    "way",
    [
        lambda row: {"reward": 0.04 * row.correct, "reward_terms": {}},
        lambda row: {"reward": 0.5 + 0.02 * row.reward_terms["partial"], "reward_terms": {}},
    ],
    ids=["scaled down", "only a trace of credit"],
)
def test_low_reward_spread(harness, seed, way):
    finding_of(harness, "low_reward_spread", change(healthy_rows(seed), way))


def _credited(rows: list[Trajectory]) -> list[Trajectory]:
    return assign_credit(rows, Config(), create_filter(FilterConfig())).rows


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize(
    "way",
    [
        lambda seed: _credited(
            healthy_rows(seed, ease=(0.3, 0.3), config=Config(reward=RewardConfig(length_penalty=0.2)))
        ),
        lambda seed: healthy_rows(seed, ease=(0.2, 0.8), config=Config(reward=RewardConfig(partial=0.5))),
    ],
    ids=["length, trained on", "partial credit, not trained on"],
)
def test_phantom_advantage(harness, seed, way):
    rows = way(seed)
    finding_of(harness, "phantom_advantage", rows, rows if rows[0].advantage is not None else None)


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize(
    "way",
    [
        lambda row, draw: {"bonus": 0.2},
        lambda row, draw: {"bonus": 0.3 * (draw < 0.965)},
        lambda row, draw: {"bonus": 0.1 + 0.01 * (int(row.problem_id[1:]) % 7)},
    ],
    ids=["always", "nearly always", "constant within a group"],
)
def test_constant_term(harness, seed, way):
    rng = np.random.default_rng(seed)

    def paid(row: Trajectory) -> dict:
        bonus = way(row, rng.random())
        return {"reward_terms": {**row.reward_terms, **bonus}, "reward": row.reward + sum(bonus.values())}

    recipe = Config(reward=RewardConfig(terms={"bonus": 1.0}))
    finding = finding_of(harness, "constant_term", change(healthy_rows(seed), paid), recipe=recipe)
    assert "bonus" in finding.message


@pytest.mark.parametrize("weight", [0.0, 0.2])
def test_a_constant_term_of_ours_matters_only_when_it_is_paid(harness, weight):
    config = Config(reward=RewardConfig(format=weight))
    rows = change(healthy_rows(1), lambda row: with_reward(row, {**row.reward_terms, "format": 1.0}, config))
    assert ("constant_term" in modes(examine(harness, rows, recipe=config))) == (weight > 0)


@pytest.mark.parametrize("seed", SEEDS)
def test_a_reward_that_prefers_wrong_attempts(harness, seed):
    rng = np.random.default_rng(seed)
    rows = change(healthy_rows(seed), lambda row: {"reward": row.correct + 2.5 * rng.random(), "reward_terms": {}})
    assert finding_of(harness, "reward_outcome_divergence", rows).numbers["order_violation_ratio"] > 0.05


@pytest.mark.parametrize("seed", SEEDS)
def test_a_reward_that_rises_while_the_outcome_is_flat(harness, seed):
    rows = healthy_rows(seed, num_steps=12, num_groups=16)
    rows = change(rows, lambda row: {"reward": row.correct + 0.04 * row.step, "reward_terms": {}})
    assert "rose" in finding_of(harness, "reward_outcome_divergence", rows, rows).message


def _shuffled(rows: list[Trajectory], seed: int) -> list[Trajectory]:
    order = np.random.default_rng(seed).permutation(len(rows))
    return [row.model_copy(update={"advantage": rows[place].advantage}) for row, place in zip(rows, order, strict=True)]


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize(
    "way",
    [
        _shuffled,
        lambda rows, seed: change(rows, lambda row: {"advantage": -row.num_tokens / MAX_TOKENS}),
        lambda rows, seed: change(rows, lambda row: {"advantage": -row.advantage}),
        lambda rows, seed: change(rows, lambda row: {"advantage": 0.0}),
        lambda rows, seed: change(rows, lambda row: {"advantage": row.advantage - 0.5 * row.is_truncated}),
    ],
    ids=["shuffled", "a penalty instead", "sign flipped", "nothing", "a penalty added"],
)
@pytest.mark.parametrize("recipe", [None, Config()], ids=["foreign", "own"])
def test_advantage_mismatch(harness, seed, way, recipe):
    rows, _ = trained_rows(seed)
    assert finding_of(harness, "advantage_mismatch", training=way(rows, seed), recipe=recipe).severity == "critical"


@pytest.mark.parametrize("normalisation", ["group_std", "group_mean", "batch_std"])
def test_every_known_normalisation_is_a_function_of_the_reward(harness, normalisation):
    config = Config(reward=RewardConfig(partial=0.2))
    config.algorithm.advantage = normalisation
    rows, _ = trained_rows(3, config=config)
    for recipe in (None, config):
        assert "advantage_mismatch" not in modes(examine(harness, training=rows, recipe=recipe))


def test_with_a_recipe_the_values_themselves_are_compared(harness):
    rows = change(trained_rows(3)[0], lambda row: {"advantage": 2 * row.advantage})
    assert "advantage_mismatch" not in modes(examine(harness, training=rows))
    finding_of(harness, "advantage_mismatch", training=rows, recipe=Config())


@pytest.mark.parametrize("value", [0.0, float("nan")])
def test_steps_without_gradient(harness, value):
    rows, signals = trained_rows(0)
    signals = [s.model_copy(update={"grad_norm": value}) if s.step % 2 else s for s in signals]
    finding_of(harness, "zero_gradient", training=rows, signals=signals)


def test_steps_with_every_row_masked(harness):
    rows = change(trained_rows(0)[0], lambda row: {"in_loss": row.step % 3 != 0})
    finding_of(harness, "zero_gradient", training=rows)
