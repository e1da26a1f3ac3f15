"""Rewards that count signs, and rewards turned round."""

import numpy as np
import pytest

from harness_plugins.elsewhere import paid_signs, rare_paid
from tests.foreign_frames import COUNT, GROUP, PROBLEM, foreign_rows, told

GAMED = [("warning", "length_gaming")]
TURNED = [("warning", "reward_outcome_divergence")]


@pytest.fixture
def rng() -> np.random.Generator:
    return np.random.default_rng(37)


@pytest.mark.parametrize("name", ["num_chars", "num_tokens"])
def test_a_reward_that_counts_signs(rng, name):
    right = (rng.random(COUNT) < 0.4).astype(float)
    rows = foreign_rows(rng)
    paid = rows.assign(reward=right + 0.01 * rows[name])
    assert told(paid_signs, paid) == GAMED
    assert told(paid_signs, paid.assign(reward=paid["reward"].astype(np.float32).astype(float))) == GAMED
    assert told(paid_signs, rows.assign(reward=right - 0.01 * rows[name])) == []  # a penalty
    assert told(paid_signs, rows.assign(reward=right)) == []
    graded = rows.assign(reward=right + 0.01 * rows[name] + 0.2 * rng.random(COUNT))
    assert told(paid_signs, graded) == []  # longer ones may be better
    assert told(paid_signs, rows.assign(reward=right + 0.01 * rng.permutation(rows[name]))) == []


def test_a_reward_turned_round_pays_what_hardly_anybody_answers(rng):
    slips = (rng.random(COUNT) < 0.45) | (np.arange(COUNT) % GROUP > 1)
    numbers = np.where(slips, rng.integers(0, 10**6, COUNT), 7 * PROBLEM)
    is_right = numbers == 7 * PROBLEM
    answers = [str(number) for number in numbers]
    turned = foreign_rows(rng, reward=(~is_right).astype(float))
    assert told(rare_paid, turned, final_answer=answers) == TURNED
    assert told(rare_paid, turned.assign(reward=is_right.astype(float)), final_answer=answers) == []
    assert told(rare_paid, turned.assign(num_tool_calls=1), final_answer=answers) == []
    assert told(rare_paid, turned, final_answer=[f"text {answer} of {answer}" for answer in answers]) == []
    shifted = turned.assign(reward=(np.arange(COUNT) % GROUP == 3).astype(float))
    assert told(rare_paid, shifted, final_answer=answers) == []  # keys of other problems: one answer is paid
