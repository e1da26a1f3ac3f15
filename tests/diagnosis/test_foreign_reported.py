"""Faults that engineers reported, in columns of foreign rows: each fault, and what only looks like it."""

import numpy as np
import pandas as pd
import pytest

from evotrainer.diagnosis.texts.reference_answers import is_reference
from tests.foreign_frames import COUNT, GROUP, STEPS, foreign_rows

STEP = np.arange(COUNT) // (COUNT // STEPS)
PROBLEM = np.arange(COUNT) // GROUP


@pytest.fixture
def rng() -> np.random.Generator:
    return np.random.default_rng(11)


def test_an_answer_that_belongs_to_the_problem_is_the_reference(rng):
    rows = foreign_rows(rng)
    gold = pd.Series([f"{10 * problem}" for problem in PROBLEM])
    written = gold.where(rows["correct"] > 0, "7")
    assert is_reference(rows, gold, written)
    assert not is_reference(rows, written, written)
    assert not is_reference(rows, gold.where(gold.index % 2 == 0, None), written)
    # One answer a problem, graded as it should be: the policy's own.
    same = rows.assign(correct=(PROBLEM % 2).astype(float))
    assert not is_reference(same, gold, gold)
