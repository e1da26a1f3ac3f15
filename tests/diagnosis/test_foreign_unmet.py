"""Outcomes that nobody reaches, and right answers of which a grader sees the beginning."""

import numpy as np
import pytest

from harness_plugins.elsewhere import gold_answers
from harness_plugins.signal import reward_outcome_divergence
from tests.foreign_frames import COUNT, STEP, foreign_rows, told


@pytest.fixture
def rng() -> np.random.Generator:
    return np.random.default_rng(41)


def test_what_grades_sees_the_beginning_of_texts_alone(rng):
    chars, is_gold = rng.integers(60, 400, COUNT), rng.random(COUNT) < 0.6
    rows = foreign_rows(rng, num_chars=chars, reward=(is_gold & (chars <= 220)).astype(float))
    assert told(gold_answers, rows, is_gold=is_gold.astype(float)) == [("warning", "length_limit")]
    tired = rows.assign(reward=(is_gold & (chars + 60 * rng.normal(size=COUNT) <= 220)).astype(float))
    assert told(gold_answers, tired, is_gold=is_gold.astype(float)) == [("warning", "metric_defect")]


@pytest.mark.parametrize(("solved", "severity"), [(0.0, "warning"), (0.3, "critical")])
def test_an_outcome_that_nobody_reaches_is_no_reason_to_stop(rng, solved, severity):
    right = (rng.random(COUNT) < solved).astype(float)
    rows = foreign_rows(rng, correct=right, reward=0.5 * right + 0.05 * STEP + 0.1 * rng.random(COUNT))
    assert (severity, "reward_outcome_divergence") in told(reward_outcome_divergence, rows)
