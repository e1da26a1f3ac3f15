"""Fines for length, measures that part, columns that are empty, and settings that only look like a distance."""

import numpy as np
import pandas as pd
import pytest

from evotrainer.diagnosis.texts.extras import ExtraColumns
from evotrainer.diagnosis.texts.programs import program_number
from evotrainer.diagnosis.texts.transcript import transcript
from evotrainer.records import Trajectory
from harness_plugins.elsewhere import (
    empty_fields,
    fined_for_answers,
    fined_groups,
    measured_kl,
    overruled_measures,
    unequal_pay,
)
from tests.foreign_frames import COUNT, GROUP, PROBLEM, STEP, foreign_rows, told


@pytest.fixture
def rng() -> np.random.Generator:
    return np.random.default_rng(31)


def test_a_fine_that_counts_what_tools_answered_is_told(rng):
    own, others = rng.integers(40, 80, COUNT), rng.integers(20, 120, COUNT)

    def fined(lengths: np.ndarray, name: str = "extra:overlong_penalty") -> list[tuple[str, str]]:
        fines = -np.maximum(0, lengths - np.quantile(lengths, 0.7)) / 100.0
        columns = {name: fines, "extra:action_tokens": own.astype(float), "extra:tool_tokens": others.astype(float)}
        return told(fined_for_answers, foreign_rows(rng, num_tokens=own + others), **columns)

    assert fined(own + others * 3) == [("critical", "metric_defect")]
    assert fined(own) == []
    assert fined(own * 4 + others) == []  # both count, as in a budget of the whole context
    assert fined(own + others * 3, "extra:margin") == []


@pytest.mark.parametrize(("share", "expected"), [(0.6, [("warning", "phantom_advantage")]), (0.1, [])])
def test_groups_that_differ_by_a_fine_alone_are_told(rng, share, expected):
    is_wrong = np.repeat(rng.random(COUNT // GROUP) < share, GROUP)
    outcome = np.where(is_wrong, 0.0, np.arange(COUNT) % 2)
    fines = np.where(rng.random(COUNT) < 0.5, -0.3, 0.0)
    rows = foreign_rows(rng, reward=outcome + fines, correct=np.nan)
    rows["advantage"] = rows["reward"] - rows.groupby("group")["reward"].transform("mean")
    assert told(fined_groups, rows, **{"extra:length_penalty": fines}) == expected
    assert told(fined_groups, rows.assign(advantage=np.nan), **{"extra:length_penalty": fines}) == []
    graded = rows.assign(reward=rows["reward"] + rng.random(COUNT))
    assert told(fined_groups, graded, **{"extra:length_penalty": fines}) == []


def test_a_reward_that_overrules_its_check_is_told(rng):
    checked = rng.choice([0.0, 0.25, 0.5, 1.0], COUNT)
    is_written = (checked < 1) & (rng.random(COUNT) < 0.3)
    overruled = foreign_rows(rng, reward=np.where(is_written, 1.0, checked))
    assert told(overruled_measures, overruled, **{"extra:pass_rate": checked}) == [("critical", "weak_verifier")]
    # A reward for half of the checks is a rule: equal results are paid equally.
    by_half = foreign_rows(rng, reward=np.where(checked >= 0.5, 1.0, checked))
    assert told(overruled_measures, by_half, **{"extra:pass_rate": checked}) == []
    setting = foreign_rows(rng, reward=(rng.random(COUNT) < 0.4).astype(float))
    assert told(overruled_measures, setting, **{"extra:lr": 1e-6 * (1 + PROBLEM % 5)}) == []
    # One right attempt of each group is chosen for training.
    right = (rng.random(COUNT) < 0.6).astype(float)
    first = right * ~np.array([right[i - i % GROUP : i].any() for i in range(COUNT)])
    assert (first != right).mean() > 0.2
    assert told(overruled_measures, foreign_rows(rng, reward=right), **{"extra:selected": first}) == []
    # A second term of the reward pays where the first does not.
    terms = {"term_helpful": checked, "term_safe": np.where(is_written, 1.0 - checked, 0.0)}
    assert told(overruled_measures, foreign_rows(rng, reward=overruled["reward"], **terms)) == []
    other = {"term_helpful": checked, "term_safe": 0.0}
    assert told(overruled_measures, foreign_rows(rng, reward=overruled["reward"], **other)) != []
    bonus = foreign_rows(rng, reward=checked + np.where(rng.random(COUNT) < 0.3, 0.1, 0.0))
    assert told(overruled_measures, bonus, **{"extra:pass_rate": checked}) == []


def test_a_measurement_that_parts_where_it_is_paid_most_is_told(rng):
    fresh = rng.uniform(0.8, 1.6, COUNT)
    kept = rng.random(COUNT) < 0.2

    def measured_twice(speedup: np.ndarray) -> list[tuple[str, str]]:
        columns = {"extra:speedup": speedup, "extra:speedup_fresh": fresh, "extra:seconds": 1 / speedup}
        return told(overruled_measures, foreign_rows(rng, reward=np.log(speedup)), **columns)

    assert measured_twice(np.where(kept, 40 * fresh, fresh)) == [("critical", "reward_outcome_divergence")]
    assert measured_twice(fresh * rng.uniform(0.95, 1.05, COUNT)) == []
    assert measured_twice(4 * fresh) == []  # another unit


def test_problems_without_anything_to_check_are_told(rng):
    right = (rng.random(COUNT) < 0.4).astype(float)
    is_bare = PROBLEM % 4 == 0
    tests = np.where(is_bare, "[]", "[tests/test_a.py::test_0]")
    rows = foreign_rows(rng, reward=np.where(is_bare, 1.0, right))
    assert told(empty_fields, rows, **{"extra:info.fail_to_pass": tests}) == [("critical", "weak_verifier")]
    assert told(empty_fields, foreign_rows(rng, reward=right), **{"extra:info.fail_to_pass": tests}) == []
    failures = np.where(right > 0, "[]", "[test_0]")  # an attempt's own result is no property of its problem
    assert told(empty_fields, foreign_rows(rng, reward=right), **{"extra:failures": failures}) == []


def test_rows_that_are_too_few_or_paid_alike_are_passed_over_whatever_texts_stand_beside(rng):
    few, alike = foreign_rows(rng).head(20), foreign_rows(rng, reward=1.0)
    assert told(empty_fields, few, **{"extra:label": pd.array(["a", ""] * 10, dtype="str")}) == []
    assert told(empty_fields, alike, **{"extra:label": pd.array(["a", ""] * (COUNT // 2), dtype="str")}) == []


@pytest.mark.parametrize(("share_right", "expected"), [(0.5, [("critical", "judge_default")]), (0.05, [])])
def test_a_silent_judge_is_told_from_attempts_that_say_nothing(rng, share_right, expected):
    is_silent = rng.random(COUNT) < 0.3
    right = (rng.random(COUNT) < np.where(is_silent, share_right, 0.5)).astype(float)
    marks = np.where(is_silent, 0.0, rng.uniform(0.3, 1.0, COUNT))
    replies = np.where(is_silent, "", [f"score {mark:.3f}" for mark in marks])
    rows = foreign_rows(rng, reward=0.7 * right + 0.3 * marks, correct=right, term_judge=marks)
    assert told(empty_fields, rows, **{"extra:judge_reply": replies}) == expected
    heard = rows.assign(term_judge=rng.uniform(0.3, 1.0, COUNT))
    assert told(empty_fields, heard, **{"extra:judge_reply": replies}) == []


def test_a_switch_is_no_distance_from_the_reference(rng):
    switched = {"extra:use_kl_loss": 1.0, "extra:kl_loss_coef": 0.001, "extra:kl_in_reward": 0.0}
    distance = {"extra:kl_loss": 0.01 * STEP + rng.uniform(0.2, 0.3, COUNT)}
    assert told(measured_kl, foreign_rows(rng), **switched) == []
    assert told(measured_kl, foreign_rows(rng), **switched, **distance) == []
    charged = {"extra:kl": distance["extra:kl_loss"], "extra:kl_coef": 0.01, "extra:kl_penalty": 0.0}
    assert told(measured_kl, foreign_rows(rng), **charged) == [("critical", "kl_ineffective")]


def test_what_an_attempt_scored_in_words_names_no_broken_machine(rng):
    right = (rng.random(COUNT) < 0.5).astype(float)
    tests = rng.integers(1, 4, COUNT)
    logs = [f"{all_} selected, {all_ if is_right else 0} passed" for all_, is_right in zip(tests, right, strict=True)]
    assert told(unequal_pay, foreign_rows(rng, reward=right, correct=np.nan), **{"extra:log": logs}) == []


def test_lists_of_texts_are_columns_and_an_empty_list_among_numbers_is_missing():
    extras = ExtraColumns()
    values = [["a", "b"], [], ["c"], ["a"], ["a"]]
    numbers = [[-1.0, -3.0], [], [-1.0], [-2.0], [-2.0]]
    both = [
        Trajectory.model_construct(extra={"names": names, "logprobs": one}, messages=[])
        for names, one in zip(values, numbers, strict=True)
    ]
    extras.add([transcript(row) for row in both])
    table = extras.frame()
    assert table["names"].tolist() == ["[a, b]", "[]", "[c]", "[a]", "[a]"]
    assert table["logprobs"].isna().tolist() == [False, True, False, False, False]


def test_a_semicolon_makes_no_other_program():
    assert program_number("```sql\nSELECT 1;\n```") == program_number("```sql\nSELECT  1\n```") != ""
