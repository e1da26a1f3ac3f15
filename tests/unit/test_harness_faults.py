"""Planted faults are named, made in at least two ways each; what is healthy stays silent."""

from collections.abc import Callable

import numpy as np
import pytest

from evotrainer.config import Config, FilterConfig, RewardConfig
from evotrainer.credit import assign_credit
from evotrainer.filters import create_filter
from evotrainer.records import Message, ToolCall, Trajectory
from tests.evidence_rows import MAX_TOKENS, change, healthy_rows, trained_rows, with_reward
from tests.examination import base_harness, examine, modes, named

SEEDS = range(3)


@pytest.fixture(scope="module")
def harness():
    return base_harness()


def _all_like_the_first(rows: list[Trajectory], share: float) -> list[Trajectory]:
    first = {row.group_id: row for row in reversed(rows)}
    chosen = set(sorted(first)[: int(share * len(first))])
    fields = ("messages", "reward", "reward_terms", "correct", "format_ok", "extra", "is_truncated", "stop_reason")
    return change(
        rows, lambda row: {f: getattr(first[row.group_id], f) for f in fields} if row.group_id in chosen else {}
    )


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("way", [
    lambda seed: _all_like_the_first(healthy_rows(seed), 0.6),
    lambda seed: healthy_rows(seed, ease=(0.1, 0.1)),
    lambda seed: change(healthy_rows(seed), lambda row: {"reward": 0.5, "reward_terms": {"style": 0.5}}),
], ids=["repeated attempts", "too easy or too hard", "blind reward"])  # fmt: skip
def test_dead_groups(harness, seed, way):
    finding = named(examine(harness, way(seed)), "dead_groups")
    assert finding.trajectory_ids
    assert finding.thresholds["min_groups"] == 10


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("way", [
    lambda row: {"reward": 0.04 * row.correct, "reward_terms": {}},
    lambda row: {"reward": 0.5 + 0.02 * row.reward_terms["partial"], "reward_terms": {}},
], ids=["scaled down", "only a trace of credit"])  # fmt: skip
def test_low_reward_spread(harness, seed, way):
    named(examine(harness, change(healthy_rows(seed), way)), "low_reward_spread")


def _credited(rows: list[Trajectory]) -> list[Trajectory]:
    return assign_credit(rows, Config(), create_filter(FilterConfig())).rows


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("way", [
    lambda seed: _credited(healthy_rows(seed, ease=(0.3, 0.3), config=Config(reward=RewardConfig(length_penalty=0.2)))),
    lambda seed: healthy_rows(seed, ease=(0.2, 0.8), config=Config(reward=RewardConfig(partial=0.5))),
], ids=["length, trained on", "partial credit, not trained on"])  # fmt: skip
def test_phantom_advantage(harness, seed, way):
    rows = way(seed)
    named(examine(harness, rows, rows if rows[0].advantage is not None else None), "phantom_advantage")


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("way", [
    lambda row, draw: {"bonus": 0.2},
    lambda row, draw: {"bonus": 0.3 * (draw < 0.965)},
    lambda row, draw: {"bonus": 0.1 + 0.01 * (int(row.problem_id[1:]) % 7)},
], ids=["always", "nearly always", "constant within a group"])  # fmt: skip
def test_constant_term(harness, seed, way):
    rng = np.random.default_rng(seed)

    def paid(row: Trajectory) -> dict:
        bonus = way(row, rng.random())
        return {"reward_terms": {**row.reward_terms, **bonus}, "reward": row.reward + sum(bonus.values())}

    finding = named(examine(harness, change(healthy_rows(seed), paid)), "constant_term")
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
    assert named(examine(harness, rows), "reward_outcome_divergence").numbers["order_violation_ratio"] > 0.05


@pytest.mark.parametrize("seed", SEEDS)
def test_a_reward_that_rises_while_the_outcome_is_flat(harness, seed):
    rows = healthy_rows(seed, num_steps=12, num_groups=16)
    rows = change(rows, lambda row: {"reward": row.correct + 0.04 * row.step, "reward_terms": {}})
    assert "rose" in named(examine(harness, rows, rows), "reward_outcome_divergence").message


def _shuffled(rows: list[Trajectory], seed: int) -> list[Trajectory]:
    order = np.random.default_rng(seed).permutation(len(rows))
    return [row.model_copy(update={"advantage": rows[place].advantage}) for row, place in zip(rows, order, strict=True)]


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("way", [
    _shuffled,
    lambda rows, seed: change(rows, lambda row: {"advantage": -row.num_tokens / MAX_TOKENS}),
    lambda rows, seed: change(rows, lambda row: {"advantage": -row.advantage}),
    lambda rows, seed: change(rows, lambda row: {"advantage": 0.0}),
    lambda rows, seed: change(rows, lambda row: {"advantage": row.advantage - 0.5 * row.is_truncated}),
], ids=["shuffled", "a penalty instead", "sign flipped", "nothing", "a penalty added"])  # fmt: skip
@pytest.mark.parametrize("recipe", [None, Config()], ids=["foreign", "own"])
def test_advantage_mismatch(harness, seed, way, recipe):
    rows, _ = trained_rows(seed)
    assert named(examine(harness, training=way(rows, seed), recipe=recipe), "advantage_mismatch").severity == "critical"


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
    named(examine(harness, training=rows, recipe=Config()), "advantage_mismatch")


@pytest.mark.parametrize("value", [0.0, float("nan")])
def test_steps_without_gradient(harness, value):
    rows, signals = trained_rows(0)
    signals = [s.model_copy(update={"grad_norm": value}) if s.step % 2 else s for s in signals]
    named(examine(harness, training=rows, signals=signals), "zero_gradient")


def test_steps_with_every_row_masked(harness):
    rows = change(trained_rows(0)[0], lambda row: {"in_loss": row.step % 3 != 0})
    named(examine(harness, training=rows), "zero_gradient")


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("is_right", [True, False], ids=["right answers rejected", "strict gate"])
def test_format_gate(harness, seed, is_right):
    rng = np.random.default_rng(seed)

    def rejected(row: Trajectory) -> dict:
        if rng.random() > (0.2 if is_right else 0.5) or row.correct < float(is_right):
            return {}
        terms = {**row.reward_terms, "correct": 0.0, "format": 0.0}
        return {"correct": 0.0, "format_ok": False, "reward": 0.0, "reward_terms": terms,
                "extra": {**row.extra, "answer": None, "lenient_correct": float(is_right)}}  # fmt: skip

    rows = change(healthy_rows(seed, num_groups=100, ease=(3.0, 2.0) if is_right else (1.0, 3.0)), rejected)
    named(examine(harness, rows), "format_gate")


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("way", [
    lambda row, draw: row.num_tokens > 30,
    lambda row, draw: draw < 0.4,
], ids=["the budget shrank", "cut anywhere"])  # fmt: skip
def test_truncation(harness, seed, way):
    rng = np.random.default_rng(seed)

    def cut(row: Trajectory) -> dict:
        if not way(row, rng.random()):
            return {}
        terms = {**row.reward_terms, "correct": 0.0, "format": 0.0, "overlong": 1.0}
        return {"is_truncated": True, "stop_reason": "max_tokens", "correct": 0.0, "reward": 0.0, "format_ok": False,
                "reward_terms": terms, "extra": {**row.extra, "answer": None, "lenient_correct": 0.0}}  # fmt: skip

    finding = named(examine(harness, change(healthy_rows(seed), cut)), "truncation")
    assert finding.severity == "critical"
    assert finding.numbers["lost_to_truncation"] > 0.05


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("way", [
    lambda row: {"reward": row.correct + 0.02 * row.num_tokens},
    lambda row: {"reward": row.correct - 0.02 * row.num_tokens * (1 - row.correct)},
], ids=["longer is better", "the shortest failure ranks first"])  # fmt: skip
def test_length_gaming(harness, seed, way):
    rows = change(healthy_rows(seed), lambda row: {**way(row), "reward_terms": {}})
    named(examine(harness, rows), "length_gaming")


def test_length_that_grows_while_the_outcome_is_flat(harness):
    rows = healthy_rows(0, num_steps=12, num_groups=16)
    rows = change(rows, lambda row: {"num_tokens": int(row.num_tokens * (1 + 0.15 * row.step))})
    assert "grew" in named(examine(harness, rows, rows), "length_gaming").message


@pytest.mark.parametrize("measured", [0.0, 1e-12])
def test_kl_without_effect(harness, measured):
    rows, signals = trained_rows(0)
    signals = [row.model_copy(update={"kl": measured}) for row in signals]
    named(examine(harness, training=rows, signals=signals, recipe=Config()), "kl_ineffective")
    off = Config()
    off.algorithm.kl_coefficient = 0.0
    assert "kl_ineffective" not in modes(examine(harness, training=rows, signals=signals, recipe=off))


def _timed(row: Trajectory, draw: float) -> dict:
    return {"duration_seconds": 0.05 * row.num_tokens + 0.3 * draw}


def _stalled(row: Trajectory, draw: float) -> dict:
    if draw < 0.08:
        return {"duration_seconds": 30.0, "correct": 0.0, "reward": 0.0,
                "reward_terms": {**row.reward_terms, "correct": 0.0}}  # fmt: skip
    return _timed(row, draw)


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("way", [
    lambda row, draw: {"error": "GraderError", "correct": None, "reward": 0.0} if draw < 0.03 else {},
    lambda row, draw: {"stop_reason": "timeout", "correct": 0.0, "reward": 0.0,
                       "reward_terms": {}} if draw < 0.03 else {},
    _stalled,
], ids=["an error with a reward", "a stop reason", "at the longest duration"])  # fmt: skip
def test_infrastructure_zeros(harness, seed, way):
    rng = np.random.default_rng(seed)
    named(examine(harness, change(healthy_rows(seed), lambda row: way(row, rng.random()))), "infrastructure_zeros")


def test_durations_and_masked_errors_alone_are_healthy(harness):
    rng = np.random.default_rng(0)
    lost = {"error": "GraderError", "correct": None, "reward": None, "reward_terms": {}, "format_ok": None}
    rows = change(healthy_rows(0), lambda row: _timed(row, rng.random()) if rng.random() > 0.02 else lost)
    assert not examine(harness, rows).findings


def _flipped(row: Trajectory) -> dict:
    terms = {**row.reward_terms, "correct": 1.0 - row.correct}
    return {"correct": 1.0 - row.correct, "reward": 1.0 - row.correct, "reward_terms": terms}


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("way", ["the same response", "the same answer"])
def test_flaky_grading(harness, seed, way):
    rng = np.random.default_rng(seed)
    rows = healthy_rows(seed)
    by_group = {row.group_id: row for row in rows if row.format_ok}

    def repeated(row: Trajectory) -> dict:
        twin = by_group.get(row.group_id)
        if twin is None or twin is row or not row.format_ok or rng.random() > 0.1:
            return {}
        same = {"messages": twin.messages} if way == "the same response" else {}
        return {**_flipped(twin), **same, "format_ok": True, "extra": {**row.extra, "answer": twin.extra["answer"]}}

    named(examine(harness, change(rows, repeated)), "flaky_grading")


@pytest.mark.parametrize("seed", SEEDS)
def test_over_filtering(harness, seed):
    rng = np.random.default_rng(seed)
    rows, _ = trained_rows(seed, num_groups=32)
    kept = {row.group_id: rng.random() < 0.15 for row in rows}
    named(examine(harness, training=change(rows, lambda row: {"in_loss": kept[row.group_id]})), "over_filtering")
    strict = Config(filter=FilterConfig(group="ragen_v1", keep_ratio=0.1))
    rows, signals = trained_rows(seed, num_groups=32, config=strict)
    named(examine(harness, training=rows, signals=signals, recipe=strict), "over_filtering")


def test_data_that_shrink_over_a_run(harness):
    rows = healthy_rows(0, num_steps=12, num_groups=16)
    few = change(rows, lambda row: {"in_loss": True} | ({"problem_id": f"p{int(row.problem_id[1:]) % 3}",
                                                        "attempt": row.attempt} if row.step >= 8 else {}))  # fmt: skip
    named(examine(harness, rows, training=few), "over_filtering")


@pytest.mark.parametrize("seed", SEEDS)
def test_exploration_collapse_in_rows(harness, seed):
    def be_sure(row: Trajectory) -> dict:
        asked, said = row.messages
        return {"messages": [asked, said.model_copy(update={"mean_logprob": -0.02})]}

    sure = change(healthy_rows(seed), be_sure)
    assert named(examine(harness, sure), "entropy_collapse").severity == "warning"
    assert named(examine(harness, _all_like_the_first(sure, 1.0)), "entropy_collapse").severity == "critical"


@pytest.mark.parametrize("factor", [0.7, 1.2], ids=["falls", "rises"])
def test_entropy_over_a_run(harness, factor):
    rows, signals = trained_rows(0, improvement=0.0)
    signals = [row.model_copy(update={"entropy": 0.5 * factor**row.step}) for row in signals]
    named(examine(harness, training=rows, signals=signals), "entropy_collapse")


def test_memorised_training_problems(harness):
    training, _ = trained_rows(0, improvement=0.5)
    validation = healthy_rows(7, split="validation", ease=(1.0, 4.0))
    named(examine(harness, training=training, validation=validation), "train_validation_gap")


def test_a_solve_rate_that_falls(harness):
    rows = healthy_rows(0, num_steps=12, num_groups=16, improvement=-0.5)
    named(examine(harness, rows, rows), "score_decline")


@pytest.mark.parametrize("fields, severity", [
    ({"correct": 1.0, "reward_terms": {"correct": 0.0}}, "invalid"),
    ({"correct": 3.0, "reward_terms": {"correct": 3.0}, "reward": 3.0}, "invalid"),
    ({"reward": 0.123}, "critical"),
    ({"stop_reason": "max_tokens", "is_truncated": False}, "critical"),
    ({"problem_id": "p-other"}, "critical"),
], ids=["term disagrees", "out of range", "not the weighted sum", "cut but not marked", "mixed group"])  # fmt: skip
def test_metric_defect(harness, fields, severity):
    rows = healthy_rows(0)
    rows[5] = rows[5].model_copy(update=fields)
    assert named(examine(harness, rows, recipe=Config()), "metric_defect").severity == severity


def test_a_stored_dead_group_ratio_that_is_not_that_of_the_rows(harness):
    rows, signals = trained_rows(0)
    signals[3] = signals[3].model_copy(update={"dead_group_ratio": 0.9})
    named(examine(harness, training=rows, signals=signals, recipe=Config()), "metric_defect")


def _episode(row: Trajectory, turns: int, failed: int, *, in_circles: bool = False) -> dict:
    """Return an episode on the row's own problem, whose calls differ unless it goes in circles."""
    calls = [
        message
        for turn in range(turns)
        for message in (
            Message(
                role="assistant",
                content=f"{row.messages[0].content} by way {turn} {row.attempt}",
                num_tokens=5,
                tool_calls=[ToolCall(name="run", arguments={} if in_circles else {"way": turn})],
            ),
            Message(role="tool", tool_name="run", ok=turn >= failed, content="done"),
        )
    ]
    return {"messages": calls, "num_turns": turns}


@pytest.mark.parametrize("way, mode", [
    (lambda row: _episode(row, 60, 0), "echo_trap"),
    (lambda row: _episode(row, 5 if row.correct else 12, 0, in_circles=not row.correct), "echo_trap"),
    (lambda row: _episode(row, 5 if row.correct else 12, 0), None),
    (lambda row: _episode(row, 6, 2), "tool_failures"),
    (lambda row: _episode(row, 6, 0), None),
], ids=["many turns", "failures go in circles", "failures take longer", "calls fail", "healthy"])  # fmt: skip
def test_turns_and_tools(harness, way: Callable, mode):
    report = examine(harness, change(healthy_rows(0, num_groups=20), way))
    assert modes(report) == ({mode} if mode else set())
    assert report.metrics["tool_calls"] >= 5


def test_a_weak_family_is_told(harness):
    rows = change(healthy_rows(0, num_groups=120, ease=(6.0, 2.0)), lambda row: {
        "correct": 0.0, "reward": 0.0, "reward_terms": {**row.reward_terms, "correct": 0.0},
        "extra": {**row.extra, "lenient_correct": 0.0},
    } if row.extra["family"] == "add" and row.attempt else {})  # fmt: skip
    assert "'add'" in next(f for f in examine(harness, rows).findings if f.mode == "weak_family").message
