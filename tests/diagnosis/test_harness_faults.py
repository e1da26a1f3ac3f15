"""Planted faults are named; what is healthy stays silent.

Each mode of the failure-mode benchmark that is injected into the frames of a training run, both ways at its strongest,
and what that benchmark does not inject.
"""

from collections import Counter
from collections.abc import Callable

import numpy as np
import pandas as pd
import pytest

from benchmarks.failure_modes import FAILURE_MODES, find_failure_mode
from benchmarks.failure_modes.case import Case
from benchmarks.fault_injection.measure import detectors_of
from evotrainer.config import Config, RewardConfig
from evotrainer.evidence.rows import Rows
from evotrainer.records import Message, ToolCall, Trajectory
from tests.cheats import told
from tests.evidence_rows import MAX_TOKENS, change, healthy_rows, repeated, trained_rows, with_reward
from tests.examination import base_harness, examine, finding_of, modes

SEEDS = range(2)
OF_TRAINING = [mode for mode in FAILURE_MODES if find_failure_mode(mode).domain == "math"] + ["format_gate"]
WARNINGS = ("constant_term", "format_gate", "kl_ineffective", "length_gaming", "over_filtering", "staleness")
"""Modes that are never more than a warning; those that falsify a score are invalid, others critical."""


@pytest.fixture(scope="module")
def harness():
    return base_harness()


def trained_case(seed: int) -> Case:
    """Return the frames of a healthy training run whose policy has a name of its own at each step."""
    rows, signals = trained_rows(seed)
    training = Rows.of(rows).frame()
    held = Rows.of(healthy_rows(seed + 500, split="validation", num_groups=40)).frame()
    measured = pd.DataFrame([row.model_dump(exclude={"extra"}) for row in signals])
    return Case(training.assign(policy_id="p" + training["step"].astype(str)), held, measured, Config())


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("mode", OF_TRAINING)
def test_the_strongest_case_of_each_fault_is_named(harness, mode, seed):
    chosen, control = find_failure_mode(mode), trained_case(seed)
    only = detectors_of(harness, mode)
    assert mode not in told(harness.run(control.context(), only=only))
    rng = np.random.default_rng(seed)
    found = told(harness.run(chosen.inject(control, chosen.strengths[-1], rng).context(), only=only))
    assert found[mode] == ("warning" if mode in WARNINGS else "invalid" if chosen.falsifies else "critical")
    if chosen.variant:
        assert mode in told(harness.run(chosen.variant(control, chosen.strengths[-1], rng).context(), only=only))


def test_length_that_grows_while_the_outcome_is_flat(harness):
    rows = healthy_rows(0, num_steps=12, num_groups=16)
    rows = change(rows, lambda row: {"num_tokens": int(row.num_tokens * (1 + 0.15 * row.step))})
    assert "grew" in finding_of(harness, "length_gaming", rows, rows).message


def test_without_a_coefficient_the_kl_is_nobodys(harness):
    off = Config()
    off.algorithm.kl_coefficient = 0.0
    rows, signals = trained_rows(0)
    signals = [row.model_copy(update={"kl": 0.0}) for row in signals]
    assert "kl_ineffective" not in modes(examine(harness, training=rows, signals=signals, recipe=off))


def _timed(row: Trajectory, draw: float) -> dict:
    return {"duration_seconds": 0.05 * row.num_tokens + 0.3 * draw}


def test_attempts_that_end_by_a_time_limit_are_infrastructure(harness):
    rng = np.random.default_rng(0)
    late = {"stop_reason": "timeout", "correct": 0.0, "reward": 0.0, "reward_terms": {}}
    rows = change(healthy_rows(0), lambda row: late if rng.random() < 0.03 else {})
    finding_of(harness, "infrastructure_zeros", rows)


def test_durations_and_masked_errors_alone_are_healthy(harness):
    rng = np.random.default_rng(0)
    lost = {"error": "GraderError", "correct": None, "reward": None, "reward_terms": {}, "format_ok": None}
    rows = change(healthy_rows(0), lambda row: _timed(row, rng.random()) if rng.random() > 0.02 else lost)
    assert not examine(harness, rows).findings


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


def test_a_solve_rate_that_falls(harness):
    rows = healthy_rows(0, num_steps=12, num_groups=16, improvement=-0.5)
    finding_of(harness, "score_decline", rows, rows)


def test_one_response_with_two_grades_is_a_flaky_grader(harness):
    def silent(row: Trajectory) -> dict:
        """Leave the text alone to tell which responses are one."""
        flipped = {"correct": 1.0 - row.correct, "reward": 1.0 - row.correct} if row.attempt == 3 else {}
        return {**flipped, "extra": {**row.extra, "answer": None}}

    finding_of(harness, "flaky_grading", change(repeated(healthy_rows(0), 1.0), silent))


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


@pytest.mark.parametrize("weight", [0.0, 0.2])
def test_a_constant_term_of_ours_matters_only_when_it_is_paid(harness, weight):
    config = Config(reward=RewardConfig(format=weight))
    rows = change(healthy_rows(1), lambda row: with_reward(row, {**row.reward_terms, "format": 1.0}, config))
    assert ("constant_term" in modes(examine(harness, rows, recipe=config))) == (weight > 0)


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize(
    "way",
    [
        lambda row: {"advantage": -row.num_tokens / MAX_TOKENS},
        lambda row: {"advantage": -row.advantage},
        lambda row: {"advantage": 0.0},
    ],
    ids=["a penalty instead", "sign flipped", "nothing"],
)
@pytest.mark.parametrize("recipe", [None, Config()], ids=["foreign", "own"])
def test_advantage_mismatch(harness, seed, way, recipe):
    rows, _ = trained_rows(seed)
    assert finding_of(harness, "advantage_mismatch", training=change(rows, way), recipe=recipe).severity == "critical"


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


def test_a_gradient_that_is_no_number_is_none(harness):
    rows, signals = trained_rows(0)
    signals = [s.model_copy(update={"grad_norm": float("nan")}) if s.step % 2 else s for s in signals]
    finding_of(harness, "zero_gradient", training=rows, signals=signals)
