"""Batches used again, baselines of one attempt, weights that part for a while, and answers in a box of text."""

import numpy as np
import pytest

from evotrainer.actions import action_classifier
from evotrainer.diagnosis.texts.attempts import attempt_columns
from evotrainer.diagnosis.texts.gold import is_written_otherwise
from evotrainer.diagnosis.texts.transcript import transcript
from evotrainer.records import Message, Trajectory
from harness_plugins.elsewhere import order_of_steps, other_baselines, sampler_drift
from harness_plugins.score import flaky_grading
from tests.foreign_frames import ATTEMPT, COUNT, GROUP, PROBLEM, STEP, STEPS, foreign_rows, told


@pytest.fixture
def rng() -> np.random.Generator:
    return np.random.default_rng(41)


def served(steps: list[int]) -> dict[str, object]:
    """Return the columns of steps that hold the rows of these batches."""
    batch = np.array(steps)[STEP]
    within = np.arange(COUNT) % (COUNT // STEPS)
    return {
        "problem_id": [f"p{b}-{i // GROUP}" for b, i in zip(batch, within, strict=True)],
        "response_hash": [f"h{b}-{i}" for b, i in zip(batch, within, strict=True)],
    }


def test_a_batch_that_comes_again_is_told_from_batches_used_twice_each(rng):
    again = foreign_rows(rng, **served([0, 1, 2, 3, 3, 4, 5, 6, 7, 8]), num_chars=200)
    assert ("critical", "staleness") in told(order_of_steps, again)
    twice = foreign_rows(rng, **served([0, 0, 1, 1, 2, 2, 3, 3, 4, 4]), num_chars=200)
    assert ("critical", "staleness") not in told(order_of_steps, twice)


def test_a_baseline_of_one_attempt_is_told(rng):
    reward = rng.random(COUNT).round(3)
    rows = foreign_rows(rng, reward=reward, attempt=ATTEMPT)
    first = rows.groupby("group")["reward"].transform("first")
    warned = [("warning", "advantage_mismatch")]
    assert told(other_baselines, rows.assign(advantage=rows["reward"] - first)) == warned
    shuffled = rows.assign(advantage=rows["reward"] - first).sample(frac=1.0, random_state=1)
    assert told(other_baselines, shuffled) == warned
    mean = rows.groupby("group")["reward"].transform("mean")
    assert told(other_baselines, rows.assign(advantage=rows["reward"] - mean)) == []
    # Where one place has the mean itself by what it earned, nothing else than the mean was subtracted.
    middle = rows.assign(reward=0.5 + np.array([0.0, 1.0, 2.0, -3.0])[ATTEMPT])
    assert told(other_baselines, middle.assign(advantage=middle["reward"] - 0.5)) == []


@pytest.mark.parametrize(("steps", "expected"), [([4, 5], True), ([4], False), ([2, 7], False), ([], False)])
def test_weights_that_part_for_a_while_are_told(rng, steps, expected):
    own = rng.uniform(-0.6, -0.2, COUNT)
    other = own + rng.normal(0, 0.005, COUNT) - np.where(np.isin(STEP, steps), 0.4, 0.0)
    found = told(sampler_drift, foreign_rows(rng, mean_logprob=own), **{"extra:log_probs": other})
    assert (("warning", "train_inference_mismatch") in found) is expected


def test_an_answer_that_nobody_read_is_the_one_in_the_mark():
    row = Trajectory.model_construct(
        trajectory_id="t",
        stop_reason="stop",
        problem_id="p",
        messages=[Message(role="user", content="Which?"), Message(role="assistant", content="\\boxed{\\text{D}}")],
        extra={"answer": ""},
    )
    table = attempt_columns([transcript(row)], action_classifier({}))
    assert table["final_answer"] == ["\\text{D}"]
    assert is_written_otherwise("\\text{D}", "D") and is_written_otherwise("1,250", "1250")
    assert not is_written_otherwise("D.", "d") and not is_written_otherwise("E", "D")


def test_programs_that_end_alike_are_no_equal_answers(rng):
    right = (rng.random(COUNT) < 0.5).astype(float)
    rows = foreign_rows(rng, correct=right, answer=[f"end {p}" for p in PROBLEM], format_ok=1.0)
    assert told(flaky_grading, rows, program="") == [("critical", "flaky_grading")]
    assert told(flaky_grading, rows, program=[f"s{i}" for i in range(COUNT)]) == []


def test_rounding_in_groups_of_one_reward_is_no_baseline_of_others(rng):
    """Float32 leaves 1e-5 where all rewards of a group are equal, and its sum is not 0."""
    reward = np.where(PROBLEM % 3 == 0, (rng.random(COUNT) < 0.5).astype(float), 0.2)
    rows = foreign_rows(rng, reward=reward)
    mean = rows.groupby("group")["reward"].transform("mean")
    noise = np.where(STEP % 2 == 0, 1e-5, 0.0)
    assert told(other_baselines, rows.assign(advantage=reward - mean + noise)) == []
    mixed = rows.assign(reward=rng.random(COUNT))
    mean, others = (mixed.groupby(name)["reward"].transform("mean") for name in ("group", "step"))
    swapped = mixed["reward"] - np.where(STEP % 2 == 0, others, mean)
    found = [("critical", "advantage_mismatch")]
    assert told(other_baselines, mixed.assign(advantage=swapped)) == found
