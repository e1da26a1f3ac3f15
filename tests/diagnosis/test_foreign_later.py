"""Rows paid for others, gold answers a row off, corpora with the questions in them, short cuts, data that restarts."""

import math

import numpy as np
import pandas as pd
import pytest

from evotrainer.diagnosis.texts.conduct import answers_told
from evotrainer.records import Message, ToolCall
from harness_plugins.elsewhere import repeated_prompts, same_everywhere, shifted_rows, tool_answers
from tests.foreign_frames import COUNT, GROUP, PROBLEMS, STEPS, foreign_rows, told

STEP = np.arange(COUNT) // (COUNT // STEPS)
PROBLEM = np.arange(COUNT) // GROUP
QUESTION = "Who designed the bridge at Corick?"


@pytest.fixture
def rng() -> np.random.Generator:
    return np.random.default_rng(12)


def test_a_worker_is_paid_for_its_episode_before(rng):
    worker = pd.Series(rng.integers(0, 5, COUNT).astype(float))
    passed = pd.Series(rng.choice([0.0, 0.4, 1.0], COUNT))
    before = passed.groupby(worker).shift(1).fillna(0.0)
    texts = {"extra:worker": worker, "extra:tests_passed": passed, "final_answer": ""}
    found = [("critical", "metric_defect")]
    assert told(shifted_rows, foreign_rows(rng, reward=before), **texts) == found
    assert told(shifted_rows, foreign_rows(rng, reward=passed.shift(1).fillna(0.0)), **texts) == found
    # A column that holds the reward of the episode before.
    assert told(shifted_rows, foreign_rows(rng, reward=passed.groupby(worker).shift(-1).fillna(0.0)), **texts) == []
    assert told(shifted_rows, foreign_rows(rng, reward=passed), **texts) == []
    assert told(shifted_rows, foreign_rows(rng, reward=rng.permutation(passed)), **texts) == []
    # A reward that hardly varies equals that of any row.
    rare = pd.Series((rng.random(COUNT) < 0.02).astype(float))
    assert (
        told(
            shifted_rows,
            foreign_rows(rng, reward=rare),
            **{**texts, "extra:tests_passed": rare.shift(1, fill_value=0.0)},
        )
        == []
    )


@pytest.mark.parametrize("lag", [1, -1])
def test_gold_answers_of_one_file_stand_a_row_off(rng, lag):
    answers = rng.permutation(1000)[: STEPS * PROBLEMS]
    is_second = rng.random(len(answers)) < 0.5
    gold = answers.copy()
    gold[is_second] = np.roll(answers[is_second], lag)
    said = np.where(rng.random(COUNT) < 0.7, answers[PROBLEM], 7).astype(str)
    source = np.where(is_second[PROBLEM], "b", "a")
    rows = foreign_rows(rng, reward=(said == gold[PROBLEM].astype(str)).astype(float))
    texts = {"final_answer": said, "extra:source": source}
    assert told(shifted_rows, rows, **texts, **{"extra:ground_truth": gold[PROBLEM].astype(str)}) == [
        ("critical", "metric_defect")
    ]
    honest = foreign_rows(rng, reward=(said == answers[PROBLEM].astype(str)).astype(float))
    assert told(shifted_rows, honest, **texts, **{"extra:ground_truth": answers[PROBLEM].astype(str)}) == []
    # Labels in disorder are not one row off, and of few possible answers neighbours share many.
    mixed = rng.permutation(answers)[PROBLEM].astype(str)
    assert told(shifted_rows, rows, **texts, **{"extra:ground_truth": mixed}) == []
    letters = np.array(list("ABCD"))
    guess = rng.choice(letters, STEPS * PROBLEMS)[PROBLEM]
    of_few = {**texts, "final_answer": guess, "extra:ground_truth": rng.choice(letters, STEPS * PROBLEMS)[PROBLEM]}
    assert told(shifted_rows, rows, **of_few) == []


def _episode(query: str, shown: str, said: str) -> list[Message]:
    return [
        Message(role="user", content=QUESTION),
        Message(role="assistant", content="", tool_calls=[ToolCall(name="search", arguments={"query": query})]),
        Message(role="tool", content=shown),
        Message(role="assistant", content=said),
    ]


@pytest.mark.parametrize(
    ("query", "shown", "said", "expected"),
    [
        ("bridge Corick", f"{QUESTION} Ada Brandt", "It is Ada Brandt.", (True, False)),
        (QUESTION, f'{{"question": "{QUESTION}", "answer": "Ada Brandt"}}', "It is Ada Brandt.", (False, True)),
        (QUESTION, f"Results for {QUESTION}: none", "It is Ada Brandt.", (False, False)),
        (QUESTION, "Corick Bridge. Ada Brandt designed it.", "It is Ada Brandt.", (False, False)),
    ],
)
def test_a_corpus_that_holds_the_question_is_told_from_a_page(query, shown, said, expected):
    found = answers_told(_episode(query, shown, said), "")
    assert (found["told_answer"], found["told_to_question"]) == expected


def test_a_tool_that_repeats_its_call_is_known_by_its_other_calls():
    assert answers_told(_episode("bridges of Corick", "bridges of Corick: 3 pages", "x"), "")["echo_share"] == 1.0
    assert answers_told(_episode("bridges of Corick", "3 pages", "x"), "")["echo_share"] == 0.0
    assert math.isnan(answers_told(_episode(QUESTION, "3 pages", "x"), "")["echo_share"])


def test_questions_in_the_corpus_count_where_the_tool_repeats_nothing(rng):
    rows = foreign_rows(rng, num_tool_calls=2)
    texts = {"first_call": "", "first_answer": "0", "shown_at_first": "", "told_answer": False}
    to_question = PROBLEM % 2 == 0
    plain = {**texts, "told_to_question": to_question, "echo_share": np.where(to_question, np.nan, 0.0)}
    assert told(tool_answers, rows, **plain) == [("critical", "answer_reading")]
    assert told(tool_answers, rows, **{**plain, "echo_share": np.where(to_question, np.nan, 0.9)}) == []
    assert told(tool_answers, rows, **{**plain, "echo_share": np.nan}) == []


def test_the_same_few_calls_everywhere_are_a_short_cut_where_they_pay(rng):
    spread = rng.random(COUNT) < np.clip(STEP / STEPS, 0.02, 0.95)
    right = (rng.random(COUNT) < 0.4).astype(float)
    texts = {
        "asked": PROBLEM.astype(str),
        "reasoning_chars": 0.0,
        "reasoning_number": "1",
        "final_answer": "",
        "calls_number": np.where(spread, "9", [f"{10 + place}" for place in range(COUNT)]),
    }
    calls = np.where(spread, 1, 4)
    cut = foreign_rows(rng, reward=np.where(spread, 1.0, right), num_tool_calls=calls)
    assert told(same_everywhere, cut, **texts) == [("warning", "weak_verifier")]
    # As few calls as the paid attempts of the first steps needed, or calls that are paid like any other: no short cut.
    assert told(same_everywhere, cut.assign(num_tool_calls=np.where(spread, 1, 1)), **texts) == []
    assert told(same_everywhere, foreign_rows(rng, reward=right, num_tool_calls=calls), **texts) == []


def test_prompts_that_come_back_within_an_epoch_are_named(rng):
    again = (STEP % 3 * PROBLEMS + PROBLEM % PROBLEMS).astype(str)
    rows, epoch = foreign_rows(rng), {"extra:epoch": 0.01 * (STEP + 1.0)}
    assert told(repeated_prompts, rows, asked=again, **epoch) == [("warning", "duplicate_problems")]
    assert told(repeated_prompts, rows, asked=again, **{"extra:epoch": 0.4 * (STEP + 1.0)}) == []
    assert told(repeated_prompts, rows, asked=again) == []
    assert told(repeated_prompts, rows, asked=PROBLEM.astype(str), **epoch) == []
    # A count of epochs that stays at 0 may never be filled: it counts where every step shows the same prompts.
    always, unfilled = (PROBLEM % PROBLEMS).astype(str), {"extra:epoch": 0.0}
    assert told(repeated_prompts, rows, asked=always, **unfilled) == [("warning", "duplicate_problems")]
    assert told(repeated_prompts, rows, asked=again, **unfilled) == []
    assert told(repeated_prompts, rows, asked=always, **{"extra:epoch": STEP + 0.0}) == []
    # Several updates with one batch meet its prompts in steps that follow each other.
    several = (STEP // 5 * PROBLEMS + PROBLEM % PROBLEMS).astype(str)
    assert told(repeated_prompts, rows, asked=several, **epoch) == []


def test_a_few_prompts_at_every_step_beside_new_ones(rng):
    place, rows = PROBLEM % PROBLEMS, foreign_rows(rng)
    first = np.where(place < PROBLEMS - 2, place, 100 + PROBLEM).astype(str)
    assert told(repeated_prompts, rows, asked=first) == [("warning", "duplicate_problems")]
    few_others = np.where(place < PROBLEMS - 2, place, 100 + PROBLEM % 5).astype(str)
    assert told(repeated_prompts, rows, asked=few_others) == []
