"""What columns of foreign rows show: limits, weights that stay, batches served again, advantages of other totals."""

import numpy as np
import pandas as pd
import pytest

from evotrainer.evidence.frames import Frame
from harness_plugins.elsewhere import order_of_steps, sampler_drift, unequal_pay
from harness_plugins.signal import advantage_mismatch
from tests.foreign_frames import COUNT, foreign_rows, told


def _seconds(rng: np.random.Generator) -> np.ndarray:
    return np.minimum(rng.lognormal(2.3, 0.9, COUNT), 25.0)


def test_a_limit_in_any_column_of_durations_is_found(rng):
    rows, seconds = foreign_rows(rng), _seconds(rng)
    assert told(unequal_pay, rows, **{"extra:grading.seconds": seconds}) == []
    rows["reward"] = rows["reward"].where(seconds < 25.0, 0.0)
    assert told(unequal_pay, rows, **{"extra:grading.seconds": seconds}) == [("critical", "infrastructure_zeros")]
    # A column that follows the length is a limit of length, which a recipe may want.
    assert told(unequal_pay, rows.assign(num_chars=seconds * 9), **{"extra:size": seconds}) == []


def test_logprobs_are_known_by_their_values(rng):
    rows, sampled = foreign_rows(rng), -rng.uniform(0.3, 0.9, COUNT)
    learned = sampled - 0.05 * rows["step"] + rng.normal(0, 0.01, COUNT)
    parted = [("critical", "train_inference_mismatch")]
    assert told(sampler_drift, rows, **{"extra:a": sampled, "extra:b": learned}) == parted
    assert told(sampler_drift, rows, **{"extra:a": sampled, "extra:b": sampled + rng.normal(0, 0.01, COUNT)}) == []
    assert told(sampler_drift, rows, **{"extra:a": sampled, "extra:frozen": learned}) == []
    # Two penalties are below zero too, and part as lengths grow.
    penalties = {"extra:cost": -rng.uniform(0, 0.1, COUNT), "extra:fee": -rng.uniform(0, 0.1, COUNT) * rows["step"]}
    assert told(sampler_drift, rows, **penalties) == []


NAMES = {
    "a new one each step": (range(10), False),
    "the last one stays": ([0, 1, *[2] * 8], True),
    "sent every other step": ([0, 0, 1, 1, 2, 2, 3, 3, 4, 4], False),
    "two halves": ([0] * 5 + [1] * 5, False),
    "one name": ([0] * 10, False),
}


@pytest.mark.parametrize("name", NAMES)
def test_weights_that_no_longer_reach_the_sampler(rng, name: str):
    numbers, is_frozen = NAMES[name]
    rows = foreign_rows(rng)
    rows["policy_id"] = rows["step"].map(lambda step: f"w{list(numbers)[step]}")
    assert told(sampler_drift, rows) == ([("critical", "staleness")] if is_frozen else [])


def test_a_batch_served_again_is_told_from_answers_without_a_choice(rng):
    again = foreign_rows(rng)
    late = again["step"] >= 5
    for column in ("problem_id", "response_hash"):
        again.loc[late, column] = again.loc[again["step"] < 5, column].to_numpy()
    assert told(order_of_steps, again) == [("critical", "staleness")]
    # Two epochs over forms: half of the answers are the only right one.
    forms = again.copy()
    forms["response_hash"] = np.where(rng.random(COUNT) < 0.6, forms["problem_id"], [f"x{i}" for i in range(COUNT)])
    assert told(order_of_steps, forms) == []


def _standardised(rows: Frame, total: np.ndarray) -> Frame:
    by_group: Frame = pd.DataFrame({"total": total, "group": rows["group"].to_numpy()}).groupby("group")["total"]
    return (total - by_group.transform("mean")) / (by_group.transform("std") + 1e-4)


def test_advantages_of_a_weighted_sum_of_the_terms_are_no_mismatch(rng):
    rows = foreign_rows(rng, term_right=rng.integers(0, 2, COUNT), term_form=rng.integers(0, 2, COUNT))
    rows["reward"] = (rows["term_right"] + rows["term_form"]).astype(float)
    rows["advantage"] = _standardised(rows, (0.9 * rows["term_right"] + 0.1 * rows["term_form"]).to_numpy(float))
    assert told(advantage_mismatch, rows) == [("info", "advantage_mismatch")]
    moved = rows.assign(advantage=np.roll(rows["advantage"], 7))
    assert told(advantage_mismatch, moved) == [("critical", "advantage_mismatch")]


def test_small_penalties_inside_the_reward_are_no_mismatch(rng):
    rows = foreign_rows(rng, reward=rng.choice([0.0, 25.0, 50.0, 100.0], COUNT))
    rows["advantage"] = _standardised(rows, rows["reward"].to_numpy() - rng.uniform(0, 1, COUNT))
    assert told(advantage_mismatch, rows) == [("info", "advantage_mismatch")]


@pytest.fixture
def rng() -> np.random.Generator:
    return np.random.default_rng(5)
