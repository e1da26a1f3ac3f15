"""Problems in the same words, in one world or two."""

import numpy as np
import pandas as pd
import pytest

from evotrainer.diagnosis.worlds import is_other_world
from evotrainer.evidence.frames import Frame
from harness_plugins.elsewhere import prompts
from harness_plugins.integrity import contamination
from tests.foreign_frames import PROBLEM, evaluated, foreign_rows


def _rows(calls: str, answers: str, said: str, reward: float = 1.0) -> Frame:
    """Return attempts of a problem, a sign each for the first call, its answer and what the attempt says."""
    table = {"first_call": list(calls), "first_answer": list(answers), "written_answer": list(said)}
    return pd.DataFrame(table).assign(reward=reward, num_tool_calls=1).replace({"first_call": {"-": ""}})


@pytest.mark.parametrize(
    ("one", "other", "is_other"),
    [
        (("cc", "11", "77"), ("cc", "11", "77"), False),
        (("cc", "11", "78"), ("cc", "22", "78"), True),
        (("cc", "11", "77"), ("cc", "22", "77"), False),  # what a search lists may be drawn anew
        (("cc", "11", "78"), ("cc", "23", "78"), False),  # a tool that answers by chance
        (("cc", "11", "78"), ("dd", "22", "78"), False),  # another call
        (("cc", "11", "77"), ("cc", "11", "88"), True),
        (("cc", "11", "78"), ("cc", "11", "88"), False),  # wrong answers are paid too
        (("c", "1", "7"), ("c", "1", "8"), False),  # too few
        (("--", "00", "77"), ("--", "00", "77"), False),
    ],
)
def test_worlds_are_told_by_calls_and_by_paid_answers(one, other, is_other):
    assert is_other_world(_rows(*one), _rows(*other)) is is_other


def test_unpaid_attempts_and_those_without_tools_tell_no_world():
    assert not is_other_world(_rows("cc", "11", "77"), _rows("cc", "11", "88", reward=0.0))
    plain = _rows("--", "00", "88").assign(num_tool_calls=0)
    assert not is_other_world(_rows("--", "00", "77").assign(num_tool_calls=0), plain)


@pytest.fixture
def rng() -> np.random.Generator:
    return np.random.default_rng(71)


@pytest.mark.parametrize("plugin", [contamination, prompts])
def test_a_held_problem_in_another_world_is_not_trained_on(rng, plugin):
    rows = foreign_rows(rng, num_tool_calls=1, reward=1.0)
    held = rows.copy()
    if plugin is prompts:
        held["problem_id"] = "held " + held["problem_id"]
    twins = {"twin": [f"p{p}" for p in PROBLEM] * 2, "is_same_text": True, "shown_solved": False}
    texts = {**twins, "given_away": "", "telltale": "", "written_answer": "", "first_call": "c"}
    told = {"first_answer": [f"a{p}" for p in PROBLEM] * 2}
    found = evaluated(plugin, rows, held, **texts, **told)
    assert ("invalid", "contamination") in found
    elsewhere = {"first_answer": [f"a{p}" for p in PROBLEM] + [f"b{p}" for p in PROBLEM]}
    assert evaluated(plugin, rows, held, **texts, **elsewhere) == []
