"""Held prompts beside training prompts: what makes two of them one problem, and how loud that is."""

import numpy as np
import pandas as pd
import pytest

from evotrainer.diagnosis.context import Context
from evotrainer.diagnosis.texts.asked import asked_columns
from evotrainer.diagnosis.texts.prompts import given_away, training_twins
from evotrainer.diagnosis.texts.transcript import transcript
from evotrainer.records import Message, Trajectory
from harness_plugins.elsewhere import prompts
from tests.foreign_frames import PROBLEM, foreign_rows, told


@pytest.fixture
def rng() -> np.random.Generator:
    return np.random.default_rng(29)


def _choice(number: int, shift: int = 0) -> str:
    rng = np.random.default_rng(number + shift)
    planets = rng.permutation(["Mercury", "Venus", "Earth", "Mars", "Jupiter", "Saturn", "Uranus", "Neptune"])[:5]
    kind = ["is the largest", "takes the longest for one orbit", "is the warmest"][rng.integers(0, 3)]
    return f"Question {number}: which of these {kind}?\n" + "\n".join(planets)


def test_two_splits_that_number_their_questions_alike_share_none():
    trained, held = {f"t{i}": _choice(i) for i in range(60)}, {f"h{i}": _choice(i, 1000) for i in range(60)}
    assert len(training_twins(trained, held)) <= 1
    assert training_twins(trained, {"h": _choice(7)}) == {"h": ("t7", True)}


def test_an_identifier_that_holds_the_number_of_another_is_another():
    asked = "Payload {} was rejected. Read the job log in your workspace and give the verdict."
    trained = {f"t{i}": asked.format(300 + i) for i in range(40)}
    assert training_twins(trained, {f"h{i}": asked.format(f"{300 + i}h") for i in range(16)}) == {}
    again = {f"h{i}": "Now: " + asked.format(300 + i) for i in range(16)}
    assert len(training_twins(trained, again)) == 16


@pytest.mark.parametrize("count", [4, 20])
def test_reworded_problems_are_no_proof(count):
    rows = pd.DataFrame({"trajectory_id": [f"h{i}" for i in range(40)], "problem_id": [f"p{i}" for i in range(40)]})
    twins = [f"t{i}" if i < count else "" for i in range(40)]
    said = {"given_away": "", "telltale": "", "first_call": "", "first_answer": "0", "written_answer": ""}
    texts = pd.DataFrame({"twin": twins, "is_same_text": False, **said}, index=rows["trajectory_id"])
    rows = rows.assign(split="validation", reward=1.0, correct=1.0, error=None, num_tool_calls=0)
    report = prompts.diagnose(Context("v", rows.head(0), rows.head(0), rows, pd.DataFrame(), texts=texts))
    assert [(found.severity, found.mode) for found in report.findings] == [("warning", "contamination")]


def test_a_place_that_is_called_an_answer_needs_few_right_ones(rng):
    answers = {f"p{i}": str(1000 + 7 * i) for i in range(5)}
    keyed = {name: f"What is it? (key: {answer})" for name, answer in answers.items()}
    others = {f"p{i}": f"What is it? (key: {i})" for i in range(5, 40)}
    assert given_away(keyed | others, answers).keys() == answers.keys()
    assert given_away(keyed, {"p0": "1000", "p1": "1007"}) == {}
    assert given_away({name: text.replace("key", "mass") for name, text in keyed.items()}, answers) == {}
    plain = {"twin": "", "is_same_text": False, "telltale": ""}
    few = np.where(PROBLEM < 5, " (key: ", "")
    assert told(prompts, foreign_rows(rng), given_away=few, **plain) == [("critical", "answer_reading")]


ASKED = "How many sheets come out of 33 presses in 6 minutes?"


@pytest.mark.parametrize(
    ("prompt", "is_shown"),
    [
        (f"Question: {ASKED}\nAnswer: 2538\n\nQuestion: {ASKED}\nAnswer:", True),
        (f"{ASKED} A: 2538\n{ASKED}", True),
        (f"{ASKED}\nRead the question again: {ASKED}", False),
        (f"Question: How many?\nAnswer: 2538\n\nQuestion: {ASKED}\nAnswer:", False),
        (ASKED, False),
    ],
)
def test_a_question_that_its_own_examples_solve(prompt, is_shown):
    messages = [Message(role="user", content=prompt), Message(role="assistant", content="2538")]
    columns = asked_columns([transcript(Trajectory.model_construct(messages=messages))])
    assert columns["shown_solved"] == [is_shown]


def test_prompts_that_solve_their_question_first(rng):
    plain = {"given_away": "", "twin": "", "is_same_text": False, "telltale": ""}
    assert told(prompts, foreign_rows(rng), shown_solved=PROBLEM % 4 == 0, **plain) == [("critical", "answer_reading")]
    assert told(prompts, foreign_rows(rng), shown_solved=PROBLEM < 4, **plain) == []


def test_the_number_of_a_problem_is_no_answer():
    answers = {f"p{i}": str(1000 + 7 * i) for i in range(20)}
    for before, is_found in (("Issue #", False), ("Ticket no. ", False), ("weighs ", True)):
        asked = {name: f"{before}{answer}: the label is cut." for name, answer in answers.items()}
        assert bool(given_away(asked, answers)) == is_found
