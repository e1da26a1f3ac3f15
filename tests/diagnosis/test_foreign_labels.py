"""Keys of rows of others that hold less than was asked for, prompts that lost their options, and lookalikes."""

import numpy as np
import pytest

from evotrainer.diagnosis.texts.asked import asked_columns
from evotrainer.diagnosis.texts.beyond_gold import beyond_gold
from evotrainer.diagnosis.texts.transcript import Transcript, transcript
from evotrainer.records import Message, Trajectory
from harness_plugins.elsewhere import lost_options, short_keys
from tests.foreign_frames import ATTEMPT, COUNT, PROBLEM, foreign_rows, told

WARNED = [("warning", "metric_defect")]


@pytest.fixture
def rng() -> np.random.Generator:
    return np.random.default_rng(9)


def attempt_of(answer: str, asked: str = "Which?", **extra: object) -> Transcript:
    messages = [Message(role="user", content=asked), Message(role="assistant", content=answer)]
    return transcript(Trajectory.model_construct(problem_id="p", messages=messages, extra=extra))


@pytest.mark.parametrize(
    ("gold", "answer", "is_beyond"),
    [
        ("[f(a=1, b=2), f(a=3, b=4)]", "So:\n[f(a=1, b=2), f(a=3,b=4), f(a=5, b=6)]", True),
        (["f(a=1)", "f(a=3)"], "[f(a=3), f(a=1), f(a=5)]", True),
        ("3", "\\boxed{3, -2}", True),
        ("Oslo, Bergen", "The towns are: Oslo, Bergen and Moss.", True),
        ("[f(a=1, b=2), f(a=3, b=4)]", "[f(a=1, b=2), f(a=3, b=4)]", False),
        ("[f(a=1, b=2), f(a=3, b=4)]", "[f(a=1, b=2), f(a=5, b=6), f(a=7, b=8)]", False),
        ("1,234", "1,234", False),
        ("12", "so 12, as was shown", False),
        ("", "[f(a=1)]", False),
    ],
)
def test_an_answer_that_holds_the_gold_one_and_more(gold, answer, is_beyond):
    assert bool(beyond_gold(attempt_of(answer, possible_answer=gold))) == is_beyond
    assert beyond_gold(attempt_of(answer, decoded=gold)) == ""


def test_attempts_that_agree_on_more_than_the_key(rng):
    is_short = (PROBLEM % 3 == 0) & (rng.random(COUNT) < 0.8)
    rows = foreign_rows(rng)
    rows = rows.assign(reward=np.where(is_short, 0.0, rows["reward"]))
    more = np.array([f"a{problem} m{problem}" for problem in PROBLEM])
    assert told(short_keys, rows, beyond_gold=np.where(is_short, more, "")) == WARNED
    made_up = np.array([f"a{number} m{number}" for number in range(COUNT)])
    assert told(short_keys, rows, beyond_gold=np.where(is_short, made_up, "")) == []
    habit = np.array([f"a{problem} m" for problem in PROBLEM])  # one call more, at every problem the same
    assert told(short_keys, rows, beyond_gold=np.where(is_short, habit, "")) == []
    slips = (ATTEMPT == 0) | (PROBLEM % 10 == 0)  # a part that is added by mistake, at any problem
    assert told(short_keys, rows.assign(reward=np.where(slips, 0.0, 1.0)), beyond_gold=np.where(slips, more, "")) == []
    paid = rows.assign(reward=np.where(is_short, 1.0, rows["reward"]))
    assert told(short_keys, paid, beyond_gold=np.where(is_short, more, "")) == []
    assert told(short_keys, rows, beyond_gold="") == []


@pytest.mark.parametrize(
    ("asked", "options"),
    [
        ("Which?\nA. 12\nB. 14\nC. 15", 3),
        ("Which? (A) red (B) blue", 2),
        ("Which?\nA) $x$\nB) $y$\nC) -1\nD) old", 4),
        ("哪个?\nA、红\nB、蓝", 2),
        ("Which? Answer with a letter.", 0),
        ("Plan B. It is late.", 0),
    ],
)
def test_options_that_a_question_lists(asked, options):
    found = asked_columns([attempt_of("B", asked=asked)])
    assert found["num_options"] == [options]


def test_prompts_without_the_options_that_others_list(rng):
    is_lost = PROBLEM % 4 == 0
    right = rng.random(COUNT) < np.where(is_lost, 0.25, 0.8)
    fair, lost = foreign_rows(rng), foreign_rows(rng, reward=right.astype(float))
    letters = np.array(list("ABCD"))[rng.integers(0, 4, COUNT)]
    listed = {"num_options": np.where(is_lost, 0.0, 4.0)}
    assert told(lost_options, lost, final_answer=letters, **listed) == WARNED
    assert told(lost_options, fair, final_answer=letters, **listed) == []  # they can be seen elsewhere
    numbers = np.where(is_lost, "17", letters)  # questions of another kind
    assert told(lost_options, lost, final_answer=numbers, **listed) == []
    assert told(lost_options, lost, final_answer=letters, num_options=0.0) == []
    assert told(lost_options, lost, final_answer=letters, num_options=4.0) == []
