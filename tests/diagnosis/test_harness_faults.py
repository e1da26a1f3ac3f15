"""Planted faults of grading, behaviour and data are named; what is healthy stays silent."""

from collections import Counter
from collections.abc import Callable

import numpy as np
import pytest

from evotrainer.config import Config, FilterConfig
from evotrainer.records import Message, ToolCall, Trajectory
from tests.evidence_rows import change, healthy_rows, repeated, trained_rows
from tests.examination import base_harness, examine, finding_of, modes

SEEDS = range(3)


@pytest.fixture(scope="module")
def harness():
    return base_harness()


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("is_right", [True, False], ids=["right answers rejected", "strict gate"])
def test_format_gate(harness, seed, is_right):
    rng = np.random.default_rng(seed)

    def rejected(row: Trajectory) -> dict:
        if rng.random() > (0.2 if is_right else 0.5) or row.correct < float(is_right):
            return {}
        terms = {**row.reward_terms, "correct": 0.0, "format": 0.0}
        return {
            "correct": 0.0,
            "format_ok": False,
            "reward": 0.0,
            "reward_terms": terms,
            "extra": {**row.extra, "answer": None, "lenient_correct": float(is_right)},
        }

    rows = change(healthy_rows(seed, num_groups=100, ease=(3.0, 2.0) if is_right else (1.0, 3.0)), rejected)
    finding_of(harness, "format_gate", rows)


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize(
    "way",
    [lambda row, draw: row.num_tokens > 30, lambda row, draw: draw < 0.4],
    ids=["the budget shrank", "cut anywhere"],
)
def test_truncation(harness, seed, way):
    rng = np.random.default_rng(seed)

    def cut(row: Trajectory) -> dict:
        if not way(row, rng.random()):
            return {}
        terms = {**row.reward_terms, "correct": 0.0, "format": 0.0, "overlong": 1.0}
        return {
            "is_truncated": True,
            "stop_reason": "max_tokens",
            "correct": 0.0,
            "reward": 0.0,
            "format_ok": False,
            "reward_terms": terms,
            "extra": {**row.extra, "answer": None, "lenient_correct": 0.0},
        }

    finding = finding_of(harness, "truncation", change(healthy_rows(seed), cut))
    assert finding.severity == "critical"
    assert finding.numbers["lost_to_truncation"] > 0.05


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize(
    "way",
    [
        lambda row: {"reward": row.correct + 0.02 * row.num_tokens},
        lambda row: {"reward": row.correct - 0.02 * row.num_tokens * (1 - row.correct)},
    ],
    ids=["longer is better", "the shortest failure ranks first"],
)
def test_length_gaming(harness, seed, way):
    rows = change(healthy_rows(seed), lambda row: {**way(row), "reward_terms": {}})
    finding_of(harness, "length_gaming", rows)


def test_length_that_grows_while_the_outcome_is_flat(harness):
    rows = healthy_rows(0, num_steps=12, num_groups=16)
    rows = change(rows, lambda row: {"num_tokens": int(row.num_tokens * (1 + 0.15 * row.step))})
    assert "grew" in finding_of(harness, "length_gaming", rows, rows).message


@pytest.mark.parametrize("measured", [0.0, 1e-12])
def test_kl_without_effect(harness, measured):
    rows, signals = trained_rows(0)
    signals = [row.model_copy(update={"kl": measured}) for row in signals]
    finding_of(harness, "kl_ineffective", training=rows, signals=signals, recipe=Config())
    off = Config()
    off.algorithm.kl_coefficient = 0.0
    assert "kl_ineffective" not in modes(examine(harness, training=rows, signals=signals, recipe=off))


def _timed(row: Trajectory, draw: float) -> dict:
    return {"duration_seconds": 0.05 * row.num_tokens + 0.3 * draw}


def _stalled(row: Trajectory, draw: float) -> dict:
    if draw < 0.08:
        return {
            "duration_seconds": 30.0,
            "correct": 0.0,
            "reward": 0.0,
            "reward_terms": {**row.reward_terms, "correct": 0.0},
        }
    return _timed(row, draw)


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize(
    "way",
    [
        lambda row, draw: {"error": "GraderError", "correct": None, "reward": 0.0} if draw < 0.03 else {},
        lambda row, draw: (
            {"stop_reason": "timeout", "correct": 0.0, "reward": 0.0, "reward_terms": {}} if draw < 0.03 else {}
        ),
        _stalled,
    ],
    ids=["an error with a reward", "a stop reason", "at the longest duration"],
)
def test_infrastructure_zeros(harness, seed, way):
    rng = np.random.default_rng(seed)
    finding_of(harness, "infrastructure_zeros", change(healthy_rows(seed), lambda row: way(row, rng.random())))


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

    finding_of(harness, "flaky_grading", change(rows, repeated))


@pytest.mark.parametrize("seed", SEEDS)
def test_over_filtering(harness, seed):
    rng = np.random.default_rng(seed)
    rows, _ = trained_rows(seed, num_groups=32)
    kept = {row.group_id: rng.random() < 0.15 for row in rows}
    finding_of(harness, "over_filtering", training=change(rows, lambda row: {"in_loss": kept[row.group_id]}))
    strict = Config(filter=FilterConfig(group="ragen_v1", keep_ratio=0.1))
    rows, signals = trained_rows(seed, num_groups=32, config=strict)
    finding_of(harness, "over_filtering", training=rows, signals=signals, recipe=strict)


@pytest.mark.parametrize("seed", SEEDS)
def test_exploration_collapse_in_rows(harness, seed):
    def be_sure(row: Trajectory) -> dict:
        asked, said = row.messages
        return {"messages": [asked, said.model_copy(update={"mean_logprob": -0.02})]}

    sure = change(healthy_rows(seed), be_sure)
    assert finding_of(harness, "entropy_collapse", sure).severity == "warning"
    assert finding_of(harness, "entropy_collapse", repeated(sure, 1.0)).severity == "critical"
    for start, is_told in (({}, False), ({"mean_logprob": -0.03}, False), ({"mean_logprob": -0.098}, True)):
        assert ("entropy_collapse" in modes(examine(harness, repeated(sure, 1.0), start=start))) is is_told, start


@pytest.mark.parametrize("factor", [0.7, 1.2], ids=["falls", "rises"])
def test_entropy_over_a_run(harness, factor):
    rows, signals = trained_rows(0, improvement=0.0)
    signals = [row.model_copy(update={"entropy": 0.5 * factor**row.step}) for row in signals]
    finding_of(harness, "entropy_collapse", training=rows, signals=signals)


def test_memorised_training_problems(harness):
    training, _ = trained_rows(0, improvement=0.5)
    validation = healthy_rows(7, split="validation", ease=(1.0, 4.0))
    finding_of(harness, "train_validation_gap", training=training, validation=validation)


def test_a_solve_rate_that_falls(harness):
    rows = healthy_rows(0, num_steps=12, num_groups=16, improvement=-0.5)
    finding_of(harness, "score_decline", rows, rows)


@pytest.mark.parametrize(
    "fields, severity",
    [
        ({"correct": 1.0, "reward_terms": {"correct": 0.0}}, "invalid"),
        ({"correct": 3.0, "reward_terms": {"correct": 3.0}, "reward": 3.0}, "invalid"),
        ({"reward": 0.123}, "critical"),
        ({"stop_reason": "max_tokens", "is_truncated": False}, "critical"),
        ({"problem_id": "p-other"}, "critical"),
    ],
    ids=["term disagrees", "out of range", "not the weighted sum", "cut but not marked", "mixed group"],
)
def test_metric_defect(harness, fields, severity):
    rows = healthy_rows(0)
    rows[5] = rows[5].model_copy(update=fields)
    assert finding_of(harness, "metric_defect", rows, recipe=Config()).severity == severity


def test_a_stored_dead_group_ratio_that_is_not_that_of_the_rows(harness):
    rows, signals = trained_rows(0)
    signals[3] = signals[3].model_copy(update={"dead_group_ratio": 0.9})
    finding_of(harness, "metric_defect", training=rows, signals=signals, recipe=Config())


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


@pytest.mark.parametrize(
    "way, mode",
    [
        (lambda row: _episode(row, 60, 0), "echo_trap"),
        (lambda row: _episode(row, 5 if row.correct else 12, 0, in_circles=not row.correct), "echo_trap"),
        (lambda row: _episode(row, 5 if row.correct else 12, 0), None),
        (lambda row: _episode(row, 6, 2), "tool_failures"),
        (lambda row: _episode(row, 6, 0), None),
    ],
    ids=["many turns", "failures go in circles", "failures take longer", "calls fail", "healthy"],
)
def test_turns_and_tools(harness, way: Callable, mode):
    report = examine(harness, change(healthy_rows(0, num_groups=20), way))
    assert modes(report) == ({mode} if mode else set())
    assert report.metrics["tool_calls"] >= 5


def test_a_weak_family_is_told(harness):
    rows = change(
        healthy_rows(0, num_groups=120, ease=(6.0, 2.0)),
        lambda row: (
            {
                "correct": 0.0,
                "reward": 0.0,
                "reward_terms": {**row.reward_terms, "correct": 0.0},
                "extra": {**row.extra, "lenient_correct": 0.0},
            }
            if row.extra["family"] == "add" and row.attempt
            else {}
        ),
    )
    assert "'add'" in next(f for f in examine(harness, rows).findings if f.mode == "weak_family").message


@pytest.mark.parametrize(("early", "late", "is_told"), [(16, 64, False), (64, 16, False), (1, 1, False)])
def test_more_or_fewer_groups_a_step_are_no_shrinking_data(harness, early, late, is_told):
    rng, groups, rows = np.random.default_rng(0), Counter(), []
    for group in np.array_split(healthy_rows(0, num_steps=9, num_groups=64, group_size=2), 9 * 64):
        step, problem = group[0].step, f"p{rng.integers(40)}"
        groups[step] += 1
        if groups[step] <= (early if step < 5 else late):
            rows += [row.model_copy(update={"in_loss": True, "problem_id": problem}) for row in group]
    assert ("over_filtering" in modes(examine(harness, training=rows))) is is_told


@pytest.mark.parametrize("ratio", [0.0, float("inf")])
def test_an_importance_ratio_that_vanished_or_ran_away_counts(harness, ratio):
    rows, signals = trained_rows(0)
    signals = [row.model_copy(update={"mean_ratio": ratio if i in (3, 7) else 1.0}) for i, row in enumerate(signals)]
    found = finding_of(harness, "train_inference_mismatch", training=rows, signals=signals)
    assert (found.severity, found.numbers["steps"]) == ("critical", 2)


def test_attempts_that_were_cut_are_long_and_wrong_without_a_clock(harness):
    rng = np.random.default_rng(0)

    def cut(row: Trajectory) -> dict:
        if rng.random() > 0.15:
            return _timed(row, rng.random())
        return {
            "duration_seconds": 30.0,
            "is_truncated": True,
            "stop_reason": "max_tokens",
            "correct": 0.0,
            "reward": 0.0,
            "reward_terms": {**row.reward_terms, "correct": 0.0},
        }

    assert "infrastructure_zeros" not in modes(examine(harness, change(healthy_rows(0), cut)))
