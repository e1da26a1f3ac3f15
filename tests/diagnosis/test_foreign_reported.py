"""Faults that engineers reported, in columns of foreign rows: each fault, and what only looks like it."""

import numpy as np
import pandas as pd
import pytest

from evotrainer.diagnosis.texts.reference_answers import is_reference
from evotrainer.diagnosis.texts.scripts import main_script
from harness_plugins.elsewhere import paid_nonsense
from tests.foreign_frames import COUNT, GROUP, STEPS, foreign_rows, told

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


def test_texts_without_an_alphabet_are_no_nonsense(rng):
    rare = rng.random(COUNT) < 0.1
    rows = foreign_rows(rng, reward=np.where(rare, 1.0, rng.integers(0, 2, COUNT)))
    plain = {"is_empty": False, "is_degenerate": False, "repeats_question": False}
    likelihood = np.where(rare, -9.0, rng.normal(-2.0, 0.1, COUNT))
    latin = plain | {"likelihood": likelihood, "main_script": ""}
    assert told(paid_nonsense, rows, **latin) == [("critical", "weak_verifier")]
    for script in ("east_asian", "south_east_asian", "cyrillic"):
        other = plain | {"likelihood": likelihood, "main_script": np.where(rare, script, "")}
        assert told(paid_nonsense, rows, **other) == []
    all_greek = plain | {"likelihood": likelihood, "main_script": "greek"}
    assert told(paid_nonsense, rows, **all_greek) == [("critical", "weak_verifier")]


@pytest.mark.parametrize(
    ("text", "script"),
    [
        ("The train leaves at noon.", ""),
        ("Le musée est fermé.", ""),
        ("Kobe行きの列車は6:30に発車します。", "east_asian"),
        ("รถไฟออกเวลาเที่ยง", "south_east_asian"),
        ("Поезд отходит в полдень", "cyrillic"),
        ("ковш gleich trabajo über των", ""),
        ("12 + 30 = 42 …", ""),
    ],
)
def test_the_script_of_a_text_is_that_of_most_letters(text, script):
    assert main_script(text) == script
