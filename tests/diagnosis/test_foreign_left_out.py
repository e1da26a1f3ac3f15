"""What is left out or put in twice: marks, thoughts, submissions, slow problems, answers other than the reference's."""

import numpy as np
import pytest

from evotrainer.diagnosis.texts.asked import asked_columns
from evotrainer.diagnosis.texts.rebuilt import rebuilt_columns
from evotrainer.diagnosis.texts.transcript import transcript
from evotrainer.records import Message, Trajectory
from harness_plugins.elsewhere import one_of_many, parting_measures, rebuilt_texts, slow_problems, spared_failures
from tests.foreign_frames import ATTEMPT, COUNT, PROBLEM, STEP, foreign_rows, told

ANSWER = "Twelve times four is 48.\n</think>\n\nThe answer is 48."


@pytest.fixture
def rng() -> np.random.Generator:
    return np.random.default_rng(5)


def attempt(question: str = "What is 12 * 4?", answer: str = ANSWER, **extra):
    messages = [Message(role="user", content=question), Message(role="assistant", content=answer)]
    return transcript(Trajectory.model_construct(messages=messages, extra=extra))


@pytest.mark.parametrize(
    ("extra", "begun", "pair"),
    [
        ({"prompt_ids": [5, 5, 7]}, 2.0, ""),
        ({"prompt_ids": [[5, 7, 7]]}, 1.0, ""),
        ({"inputs": {"token_ids": [0, 0, 0, 5]}}, 3.0, ""),
        ({"scores": [1, 1, 0]}, 0.0, ""),
        ({"doc_ids": [7, 7, 9], "tokens_per_turn": [40, 40, 55]}, 0.0, ""),
        ({"page": "<div><div>Twelve</div></div>"}, 0.0, ""),
        ({"prompt_ids": [True, True, False]}, 0.0, ""),
        ({"prompt_text": "<s><s> What is 12 * 4?"}, 2.0, ""),
        ({"prompt_text": "<|user|> <|assistant|>"}, 1.0, ""),
        ({"trained": f"<|assistant|>\n<think>\n\n</think>\n\n{ANSWER}"}, 1.0, "think"),
        ({"trained": f"<|assistant|>\n<think>\n{ANSWER}"}, 1.0, ""),
        ({"trained": ANSWER}, 0.0, ""),
    ],
)
def test_what_columns_show_of_a_sequence(extra, begun, pair):
    assert rebuilt_columns(attempt(**extra)) == {"begun": begun, "empty_pair": pair}


def test_an_answer_that_opens_its_thought_has_no_empty_pair_before_it():
    answer = "<think>Twelve times four is 48.</think> The answer is 48."
    assert rebuilt_columns(attempt(answer=answer, text=f"<think></think>{answer}"))["empty_pair"] == ""


def test_marks_that_stand_twice(rng):
    is_held = PROBLEM % 4 == 0
    rows = foreign_rows(rng)
    assert told(rebuilt_texts, rows, begun=np.where(is_held, 2.0, 1.0), empty_pair="") == [("warning", "metric_defect")]
    assert told(rebuilt_texts, rows, begun=1.0, empty_pair="") == []
    # Padded on the left: as many as it takes.
    assert told(rebuilt_texts, rows, begun=1.0 + PROBLEM % 4, empty_pair="") == []
    thought = np.where(is_held, "think", "")
    assert told(rebuilt_texts, rows, begun=0.0, empty_pair=thought) == [("warning", "retokenisation_drift")]


def test_failures_that_leave_out_what_is_fined(rng):
    spared = rng.random(COUNT) < 0.05 + 0.07 * STEP
    rows = foreign_rows(rng)
    pay = np.where(spared, 0.0, np.where(rng.random(COUNT) < 0.3, 1.0, -1.0))
    submitted = {"extra:handed_in": 1.0 - spared}
    assert told(spared_failures, rows.assign(reward=pay), **submitted) == [("warning", "timidity")]
    # No cheaper than any failure, or no more often over the run, or what no success needs.
    assert told(spared_failures, rows.assign(reward=np.where(spared, -1.0, pay)), **submitted) == []
    mixed = rng.permutation(COUNT)
    shuffled = rows.assign(reward=pay[mixed])
    assert told(spared_failures, shuffled, **{"extra:handed_in": (1.0 - spared)[mixed]}) == []
    assert told(spared_failures, rows.assign(reward=pay), **{"extra:asked": (ATTEMPT % 2).astype(float)}) == []
    # Who abstains more often and solves more often has learned when to.
    abstains = rng.random(COUNT) < 0.03 * STEP
    solving = np.where(abstains, 0.0, np.where(rng.random(COUNT) < 0.1 + 0.1 * STEP, 1.0, -1.0))
    assert told(spared_failures, rows.assign(reward=solving), **{"extra:handed_in": 1.0 - abstains}) == []


def test_slow_problems_that_never_reach_the_loss(rng):
    seconds = np.where(PROBLEM % 3 == 0, 900.0, 60.0) + rng.random(COUNT)
    reward = (ATTEMPT % 2).astype(float)
    rows = foreign_rows(rng, duration_seconds=seconds, reward=reward)
    by_time = rows.assign(in_loss=np.where(seconds > 100, 0.0, 1.0))
    assert told(slow_problems, by_time) == [("warning", "over_filtering")]
    by_chance = rows.assign(in_loss=np.where(PROBLEM % 4 == 0, 0.0, 1.0))
    assert told(slow_problems, by_chance) == []
    # Groups of one reward teach nothing, however long they take.
    dead = by_time.assign(reward=np.where(seconds > 100, 0.0, reward))
    assert told(slow_problems, dead) == []


def test_long_attempts_that_never_reach_the_loss(rng):
    task = PROBLEM % 16  # drawn anew, every other step
    needs_long, paid = task < 5, (ATTEMPT % 2).astype(float)
    length = np.where(needs_long, 400, 60) + rng.integers(0, 250, COUNT)
    rows = foreign_rows(rng, problem_id=[f"p{i}" for i in task], num_tokens=length, reward=paid)
    late = rows.assign(in_loss=np.where(length > 450, 0.0, 1.0))
    assert told(slow_problems, late) == [("warning", "over_filtering")]
    # Told by their characters where tokens are not counted, in larger numbers.
    letters = late.assign(num_tokens=0, num_chars=4 * length)
    assert told(slow_problems, letters) == [("warning", "over_filtering")]
    # Masked because they were cut, by chance, or at one limit of length.
    assert told(slow_problems, late.assign(is_truncated=length > 450)) == []
    assert told(slow_problems, rows.assign(in_loss=np.where(rng.random(COUNT) < 0.2, 0.0, 1.0))) == []
    assert told(slow_problems, late.assign(num_tokens=np.minimum(length, 451))) == []
    # Whole problems are held back, and who takes part in them is not chosen by length.
    assert told(slow_problems, rows.assign(in_loss=np.where(needs_long, 0.0, 1.0))) == []
    # A few long ones of all problems, none of which is lost; or the shortest of every group is chosen.
    anywhere = rows.assign(num_tokens=length - 340 * needs_long)
    few = anywhere.assign(in_loss=np.where(anywhere["num_tokens"] > 270, 0.0, 1.0))
    assert told(slow_problems, few) == []
    ranked = rows.assign(num_tokens=100 * ATTEMPT + rng.integers(0, 50, COUNT))
    assert told(slow_problems, ranked.assign(in_loss=np.where(ATTEMPT < 1, 1.0, 0.0))) == []
    # Those of the least reward are left out, and are longer.
    wrong = rows.assign(num_tokens=length + np.where(paid > 0, 0, 900), in_loss=paid)
    assert told(slow_problems, wrong) == []


@pytest.mark.parametrize(
    ("question", "accepts"),
    [
        ("Print the two indices. If there are several, print any of them.", True),
        ("Return any valid order of the tasks.", True),
        ("Print the numbers in any order.", True),
        ("如果有多个答案，输出任意一个。", True),
        ("Print how many pairs there are, if any.", False),
        ("Is there any number above 7? Print yes or no.", False),
    ],
)
def test_a_statement_that_accepts_several_answers(question, accepts):
    assert asked_columns([attempt(question)])["accepts_any"] == [accepts]


def test_problems_of_many_answers_that_are_hardly_solved(rng):
    accepts = PROBLEM % 4 == 0
    chance = np.where(accepts, 0.05, 0.75)
    rows = foreign_rows(rng, reward=(rng.random(COUNT) < chance).astype(float))
    assert told(one_of_many, rows, accepts_any=accepts) == [("warning", "metric_defect")]
    assert told(one_of_many, rows, accepts_any=PROBLEM % 3 == 0) == []
    level = foreign_rows(rng, reward=(rng.random(COUNT) < 0.6).astype(float))
    assert told(one_of_many, level, accepts_any=accepts) == []


def test_a_check_that_is_left_out_more_and_more(rng):
    passed = (rng.random(COUNT) > 0.05 + 0.08 * STEP).astype(float)
    rows = foreign_rows(rng, reward=(rng.random(COUNT) < 0.6 - 0.1 * passed).astype(float))
    found = told(parting_measures, rows, **{"extra:checks.looked_up": passed})
    assert found == [("warning", "reward_outcome_divergence")]
    assert told(parting_measures, rows, **{"extra:num_errors_per_line": passed}) == []
    assert told(parting_measures, rows, **{"extra:checks.looked_up": rng.permutation(passed)}) == []
    # Attempts that do not pass it are paid less: the reward looks at it.
    fined = rows.assign(reward=rows["reward"] * passed)
    assert told(parting_measures, fined, **{"extra:checks.looked_up": passed}) == []
