"""Faults that engineers reported, in columns of foreign rows: each fault, and what only looks like it."""

import numpy as np
import pandas as pd
import pytest

from evotrainer.diagnosis.texts.open_marks import last_marks
from evotrainer.diagnosis.texts.reference_answers import is_reference
from evotrainer.diagnosis.texts.scripts import main_script
from harness_plugins.elsewhere import (
    agreed_options,
    agreeing_answers,
    gold_answers,
    grader_fallback,
    missing_baseline,
    open_ends,
    paid_nonsense,
    tool_outages,
    unequal_pay,
)
from harness_plugins.signal import infrastructure_zeros
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
    twice = gold.where(~((PROBLEM < 3) & (np.arange(COUNT) % 2 == 0)), "1")  # a few questions stand under two keys
    assert is_reference(rows, twice, written)
    lost = rows.assign(correct=np.nan, reward=0.0)
    assert is_reference(lost, gold, written)
    assert not is_reference(lost, written, written)
    assert not is_reference(lost, gold, gold.where(np.arange(COUNT) % GROUP > 0, "7"))  # most end with it: their own
    programs = pd.Series([""] * COUNT)
    assert is_reference(rows, gold, programs)
    assert not is_reference(rows.assign(response_hash=gold), gold, programs)
    # One answer a problem, graded as it should be: the policy's own.
    same = rows.assign(correct=(PROBLEM % 2).astype(float))
    assert not is_reference(same, gold, gold)


def test_texts_without_an_alphabet_are_no_nonsense(rng):
    rare = rng.random(COUNT) < 0.1
    rows = foreign_rows(rng, reward=np.where(rare, 1.0, rng.integers(0, 2, COUNT)))
    plain = {"is_empty": False, "leaves_empty": False, "is_degenerate": False, "repeats_question": False}
    plain |= {"language": ""}
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


def test_counts_of_what_was_done_name_no_machine(rng):
    rows = foreign_rows(rng, num_tool_calls=rng.integers(1, 4, COUNT))
    failed = rows["num_tool_calls"] == 1
    rows = rows.assign(reward=np.where(failed, 0.0, rng.integers(0, 2, COUNT)), correct=np.nan)
    counted = 20.0 * rows["num_tool_calls"] + rng.integers(0, 3, COUNT)
    assert told(unequal_pay, rows, **{"extra:tool_tokens": counted}) == []
    hosts = np.where(failed, "node-3", np.where(rng.random(COUNT) < 0.5, "node-1", "node-2"))
    assert told(unequal_pay, rows, **{"extra:host": hosts}) == [("critical", "infrastructure_zeros")]


def test_a_grader_that_falls_back_is_told_from_answers_that_earn_nothing(rng):
    struck = (STEP >= 6) & (rng.random(COUNT) < 0.6)
    rows = foreign_rows(rng, reward=np.where(struck, 0.25, rng.choice([0.0, 0.1, 0.4, 0.6, 0.9, 1.0], COUNT)))
    texts = {"likelihood": rng.normal(-2.0, 0.1, COUNT), "other_scripts": 0.0}
    assert told(grader_fallback, rows, **texts) == [("warning", "infrastructure_zeros")]
    assert told(grader_fallback, rows, **texts | {"other_scripts": struck.astype(float)}) == []
    assert told(grader_fallback, rows, **texts | {"likelihood": np.where(struck, -6.0, -2.0)}) == []
    alike = (STEP >= 6) & (PROBLEM % 2 == 0)
    same = rows.assign(reward=np.where(alike, 0.25, rng.choice([0.0, 0.1, 0.4, 0.6, 0.9, 1.0], COUNT)))
    assert told(grader_fallback, same, **texts) == [("warning", "infrastructure_zeros")]
    same.loc[alike, "response_hash"] = same.loc[alike, "problem_id"]
    assert told(grader_fallback, same, **texts) == []


def test_gold_answers_of_unread_data_and_of_cut_attempts(rng):
    is_gold = rng.random(COUNT) < 0.6
    lost = PROBLEM % 3 == 0
    rows = foreign_rows(rng, reward=(is_gold & ~lost).astype(float), stop_reason="unknown")
    source = {"extra:source": np.where(lost, "boxed", "plain"), "is_gold": is_gold.astype(float)}
    assert told(gold_answers, rows, **source) == [("warning", "metric_defect")]
    for share in (0.4, 0.2, 0.12):
        cut = rng.random(COUNT) < share
        tokens = np.where(cut, 1000, 100 + rng.integers(0, 200, COUNT))
        ended = rows.assign(reward=(is_gold & ~cut).astype(float), num_tokens=tokens)
        assert told(gold_answers, ended, is_gold=is_gold.astype(float)) == []


def test_problems_that_pay_every_number_are_not_graded(rng):
    rows = foreign_rows(rng)
    right = np.asarray(rows["correct"] > 0)
    free = PROBLEM % 6 == 0
    answers = np.where(right, PROBLEM * 10, PROBLEM * 10 + 1 + np.arange(COUNT) % GROUP).astype(str)
    paid = rows.assign(reward=(right | free).astype(float), correct=np.nan)
    assert told(agreeing_answers, paid, final_answer=answers) == [("warning", "weak_verifier")]
    assert told(agreeing_answers, rows, final_answer=answers) == []
    # Where problems have several right answers, paid attempts disagree everywhere.
    many = rng.integers(0, 50, COUNT).astype(str)
    assert told(agreeing_answers, paid, final_answer=many) == []
    shares = np.where(np.arange(COUNT) % 2 == 0, [f"{n}%" for n in PROBLEM + 1], [f"{(n + 1) / 100}" for n in PROBLEM])
    written = np.where(right | free, shares, "0.001")
    assert told(agreeing_answers, paid, final_answer=written) == []
    words = np.where(right, "yes", "a word")
    assert told(agreeing_answers, paid, final_answer=words) == []


def test_options_that_attempts_agree_on_are_right_by_chance(rng):
    letters = np.array(list("ABCD"))
    believed, key = (rng.integers(0, 4, PROBLEM[-1] + 1)[PROBLEM] for _ in range(2))
    knows = rng.random(COUNT) < 0.85
    given = np.where(knows, believed, rng.integers(0, 4, COUNT))
    rows = foreign_rows(rng, correct=np.nan)
    moved, sound = (rows.assign(reward=(given == right).astype(float)) for right in (key, believed))
    assert told(agreed_options, moved, final_answer=letters[given]) == [("warning", "metric_defect")]
    shifted = rows.assign(reward=(given == (believed + 1) % 4).astype(float))
    assert told(agreed_options, shifted, final_answer=letters[given]) == [("warning", "metric_defect")]
    assert told(agreed_options, sound, final_answer=letters[given]) == []
    hard = np.where(rng.random(PROBLEM[-1] + 1)[PROBLEM] < 0.5, believed, key)  # half of the beliefs are wrong
    assert told(agreed_options, rows.assign(reward=(given == hard).astype(float)), final_answer=letters[given]) == []
    guessed = rng.integers(0, 4, COUNT)
    blind = rows.assign(reward=(guessed == key).astype(float))
    assert told(agreed_options, blind, final_answer=letters[guessed]) == []
    pairs = rng.integers(0, 2, COUNT)  # guesses between two options, of which one is often given three times in four
    assert told(agreed_options, rows.assign(reward=(pairs == key % 2) * 1.0), final_answer=letters[pairs]) == []
    mostly = np.where(rng.random(PROBLEM[-1] + 1)[PROBLEM] < 0.7, 2, believed)  # the bias depends on the problem
    assert told(agreed_options, rows.assign(reward=(mostly == key) * 1.0), final_answer=letters[mostly]) == []
    third = np.where(PROBLEM % 3 == 0, believed, (believed + 1) % 4)  # too few problems to tell a third from chance
    assert told(agreed_options, rows.assign(reward=(given == third) * 1.0), final_answer=letters[given]) == []
    biased = np.where(rng.random(COUNT) < 0.85, 2, guessed)
    assert told(agreed_options, rows.assign(reward=(biased == key) * 1.0), final_answer=letters[biased]) == []
    # A gate that pays few, and never another letter than the one that attempts agree on.
    gated = rows.assign(reward=((given == believed) & (PROBLEM % 4 == 0)).astype(float))
    assert told(agreed_options, gated, final_answer=letters[given]) == []
    assert told(agreed_options, moved, final_answer=given.astype(str)) == []  # numbers are no letters of options


def test_a_column_that_names_a_failed_machine_explains_zeros(rng):
    down = (STEP % 3 == 1) & (rng.random(COUNT) < 0.6)
    rows = foreign_rows(rng, reward=np.where(down, 0.0, rng.uniform(0.2, 1.0, COUNT)))
    texts = {"machine_share": 0.0, "usual_answer": ""}
    found = [("warning", "infrastructure_zeros")]
    for failure in ("503 Service Unavailable", "ReadTimeout after 30.0s", "Sandbox sbx-1 failed (TIMEOUT): no result"):
        assert told(tool_outages, rows, **texts, **{"extra:status": np.where(down, failure, "ok")}) == found
    # A program of the policy that runs too long is its own failure.
    assert told(tool_outages, rows, **texts, **{"extra:log": np.where(down, "timed out after 5 s", "ok")}) == []
    status = {"extra:status": np.where(down, "503 Service Unavailable", "ok")}
    assert told(tool_outages, rows.assign(in_loss=np.where(down, 0.0, 1.0)), **texts, **status) == []
    paid = rows.assign(reward=rng.uniform(0.2, 1.0, COUNT))
    assert told(tool_outages, paid, **texts, **status) == []
    # What a problem is about is no log, though nobody solves it.
    hard = PROBLEM % 10 == 0
    titles = np.where(hard, "Connection reset when a worker restarts, ", "A list is sorted twice, ")
    unsolved = rows.assign(reward=np.where(hard, 0.0, rng.uniform(0.2, 1.0, COUNT)))
    about = [f"{title}{problem}" for title, problem in zip(titles, PROBLEM, strict=True)]
    assert told(tool_outages, unsolved, **texts, **{"extra:title": about}) == []


def test_a_time_limit_shows_without_recorded_correctness(rng):
    seconds = np.minimum(rng.lognormal(5.0, 0.5, COUNT), 300.0)
    late = seconds >= 300.0
    rows = foreign_rows(rng, stop_reason="unknown", duration_seconds=seconds, correct=np.nan)
    stalled = rows.assign(reward=np.where(late, 0.0, rows["reward"]))
    assert told(infrastructure_zeros, stalled) == [("warning", "infrastructure_zeros")]
    assert told(infrastructure_zeros, rows) == []
    tokens = np.where(rng.random(COUNT) < 0.12, 400, rng.integers(50, 350, COUNT))
    long = stalled.assign(num_tokens=tokens, duration_seconds=tokens / 10.0, reward=np.where(tokens == 400, 0.0, 1.0))
    assert told(infrastructure_zeros, long) == []


def test_advantages_that_are_rewards_have_no_baseline(rng):
    rows = foreign_rows(rng)
    own = {"extra:uid": [f"u{i}" for i in range(COUNT)]}
    found = [("warning", "phantom_advantage")]
    assert told(missing_baseline, rows.assign(advantage=rows["reward"]), **own) == found
    mean = rows.groupby("group")["reward"].transform("mean")
    assert told(missing_baseline, rows.assign(advantage=rows["reward"] - mean), **own) == []
    # Rewards that a grader compares within the group are advantages.
    compared = rows["reward"] - mean
    assert told(missing_baseline, rows.assign(reward=compared, advantage=compared), **own) == []
    alone = rows.assign(group=np.arange(COUNT), advantage=rows["reward"])
    assert told(missing_baseline, alone, **own) == []


def test_attempts_that_end_within_a_mark_were_stopped(rng):
    is_open = rng.random(COUNT) < 0.2
    rows = foreign_rows(rng)
    failed = rows.assign(reward=np.where(is_open, 0.0, rows["reward"]))
    marks = {"open_mark": np.where(is_open, "think", ""), "closed_marks": np.where(is_open, "", "think answer")}
    assert told(open_ends, failed, **marks) == [("warning", "length_limit")]
    assert told(open_ends, rows, **marks) == []
    assert told(open_ends, failed.assign(is_truncated=is_open), **marks) == []
    assert told(open_ends, failed, **marks | {"closed_marks": ""}) == []
    # A form that the policy learns: forgotten at first, then kept.
    learned = rng.random(COUNT) < 0.4 * (1 - STEP / STEP.max())
    late = rows.assign(reward=np.where(learned, 0.0, rows["reward"]))
    forgot = {"open_mark": np.where(learned, "answer", ""), "closed_marks": np.where(learned, "", "think answer")}
    assert told(open_ends, late, **forgot) == []


def test_marks_of_a_last_message():
    assert last_marks("<think>a</think> b") == {"open_mark": "", "closed_marks": "think"}
    assert last_marks("<think>I will write <done>") == {"open_mark": "think", "closed_marks": ""}
    assert last_marks("```py\nx = 1") == {"open_mark": "```", "closed_marks": ""}
    assert last_marks("so \\boxed{\\frac{1}{2}}") == {"open_mark": "", "closed_marks": "\\boxed{"}
    assert last_marks("so \\boxed{\\frac{1}") == {"open_mark": "\\boxed{", "closed_marks": ""}
    assert last_marks("```py\n" + "x = 1\n" * 4000 + "```\n5") == {"open_mark": "", "closed_marks": "```"}
    assert last_marks("1 < 2 and 3 > 2") == {"open_mark": "", "closed_marks": ""}


def test_the_key_of_some_data_files_belongs_to_other_options(rng):
    letters = np.array(list("ABCD"))
    believed, key = (rng.integers(0, 4, PROBLEM[-1] + 1)[PROBLEM] for _ in range(2))
    given = np.where(rng.random(COUNT) < 0.85, believed, rng.integers(0, 4, COUNT))
    file = np.array([f"part-{problem % 4}" for problem in PROBLEM])
    rows = foreign_rows(rng, correct=np.nan)

    def said(wrong, named=file):
        right = np.where(wrong, key, believed)
        paid = rows.assign(reward=(given == right).astype(float))
        return told(agreed_options, paid, final_answer=letters[given], **{"extra:file": named})

    assert said(file == "part-2") == [("warning", "metric_defect")]
    assert said(file == "none") == []
    spread = rng.random(PROBLEM[-1] + 1)[PROBLEM] < 0.25  # as many wrong beliefs, in all files
    assert said(spread) == []
    assert said(file == "part-2", rng.permuted(file)) == []  # a column that problems have several values of
    # Attempts agree less, and neither of two wrong files is right as seldom as chance makes it.
    unsure = np.where(rng.random(COUNT) < 0.65, believed, rng.integers(0, 4, COUNT))
    some = np.isin(file, ["part-1", "part-2"]) & (rng.random(PROBLEM[-1] + 1)[PROBLEM] < 0.9)
    paid = rows.assign(reward=(unsure == np.where(some, key, believed)).astype(float))
    told_of_both = told(agreed_options, paid, final_answer=letters[unsure], **{"extra:file": file})
    assert told_of_both == [("warning", "metric_defect")]
