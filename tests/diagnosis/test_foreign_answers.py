"""Answers of foreign rows beside gold ones: cut, wrong and paid, told in two languages, of two scales, all the same."""

import numpy as np
import pandas as pd
import pytest

from evotrainer.diagnosis.texts import gold
from evotrainer.diagnosis.texts.facts import same_facts
from evotrainer.diagnosis.texts.prompts import training_twins
from harness_plugins.elsewhere import (
    biased_pay,
    cut_readings,
    gold_answers,
    one_answer,
    paid_wrong_numbers,
    reward_scale,
)
from tests.foreign_frames import ATTEMPT, COUNT, PROBLEM, STEP, STEPS, foreign_rows, told


@pytest.fixture
def rng() -> np.random.Generator:
    return np.random.default_rng(17)


@pytest.mark.parametrize(
    ("answer", "other", "is_same"),
    [
        ("5,12", "5.12", True),
        ("-0,5", "-0.50", True),
        ("1.234,5", "1234.5", True),
        ("1,234", "1234", True),
        ("3,125", "3.125", True),
        ("37,50 euro", "37.5", True),
        ("5,12", "5", False),
        ("5,12", "512", False),
        ("1,2,3", "1.2", False),
    ],
)
def test_a_decimal_comma_is_read(answer, other, is_same):
    assert gold.is_same(answer, other) is is_same


def test_how_far_a_number_is_from_the_gold_one():
    answers = ["5", "7,5", "-10", "0.1", "ten", "10 km", "0"]
    extras = pd.DataFrame({"ground_truth": ["10"] * len(answers)})
    found = gold.gold_error(answers, extras, pd.Series(["p"] * len(answers)))
    assert np.allclose(found, [0.5, 0.25, np.nan, np.nan, np.nan, 0.0, 1.0], equal_nan=True)


def test_a_reader_that_cuts_numbers(rng):
    whole, parts = PROBLEM + 10, rng.integers(11, 99, COUNT)
    has_parts = PROBLEM % 2 == 0
    rows = foreign_rows(rng)
    for sign in (",", " ", "/"):
        numbers = np.where(has_parts, [f"{a}{sign}{b}" for a, b in zip(whole, parts, strict=True)], whole.astype(str))
        texts = {"written_answer": numbers, "final_answer": numbers, "first_marked": ""}
        assert told(cut_readings, rows, **texts, **{"extra:read": whole.astype(float)}) == [
            ("warning", "metric_defect")
        ]
        assert told(cut_readings, rows, **texts, **{"extra:read": numbers}) == []
    fractions = np.where(
        has_parts, [f"\\frac{{{a}}}{{{b}}}" for a, b in zip(whole, parts, strict=True)], whole.astype(str)
    )
    texts = {"written_answer": whole.astype(str), "final_answer": fractions, "first_marked": ""}
    braces = np.where(has_parts, [f"\\frac{{{number}" for number in whole], whole.astype(str))
    assert told(cut_readings, rows, **texts, **{"extra:read": braces}) == [("warning", "metric_defect")]
    # A unit that is left out, and a column that holds something else.
    units = np.where(has_parts, [f"{number} km" for number in whole], whole.astype(str))
    texts = {"written_answer": units, "final_answer": units, "first_marked": ""}
    assert told(cut_readings, rows, **texts, **{"extra:read": whole.astype(float)}) == []
    assert told(cut_readings, rows, **texts, **{"extra:height": 7.0}) == []


def test_a_reader_that_takes_the_first_of_several_marks(rng):
    answers, steps = (PROBLEM + 10).astype(str), rng.integers(200, 999, COUNT).astype(str)
    marks_twice = PROBLEM % 2 == 0
    texts = {"written_answer": answers, "final_answer": answers, "first_marked": np.where(marks_twice, steps, "")}
    rows = foreign_rows(rng)
    read = np.where(marks_twice, steps, answers)
    assert told(cut_readings, rows, **texts, **{"extra:read": read}) == [("warning", "metric_defect")]
    assert told(cut_readings, rows, **texts, **{"extra:read": answers}) == []
    assert told(cut_readings, rows, **texts, **{"extra:step": np.where(marks_twice, steps, "7")}) == []


def test_numbers_far_from_the_gold_one_are_paid(rng):
    right = rng.random(COUNT) < 0.6
    answers = np.where(right, "1", [f"{place + 2}" for place in range(COUNT)])
    error = np.where(right, 0.0, rng.uniform(0.05, 0.9, COUNT))
    texts = {"final_answer": answers, "gold_error": error}
    found = [("critical", "weak_verifier")]

    def judged(paid: np.ndarray, **more: np.ndarray) -> list[tuple[str, str]]:
        rows = foreign_rows(rng, reward=paid.astype(float), correct=np.nan)
        return told(paid_wrong_numbers, rows, **texts | more)

    anyone = pd.Series(right).groupby(PROBLEM).transform("max").to_numpy().astype(bool)
    assert judged(anyone) == found
    assert judged(right) == []
    assert judged(right | (error < 0.5)) == []
    # Small errors may be within a tolerance, and where most paid answers are others several are right.
    assert judged(anyone, gold_error=np.minimum(error, 0.2)) == []
    assert judged(anyone | (ATTEMPT > 0), gold_error=np.where(ATTEMPT == 0, 0.0, 0.7)) == []


def test_a_value_with_which_pay_is_reversed(rng):
    is_gold, swapped = rng.random(COUNT) < 0.5, PROBLEM % 3 == 0
    paid = (is_gold != swapped).astype(float)
    rows = foreign_rows(rng, reward=paid)
    role = {"extra:role": np.where(paid > 0, "chosen", "rejected"), "is_gold": is_gold.astype(float)}
    source = {"extra:source": np.where(swapped, "b", "a")}
    assert told(gold_answers, rows, **role, **source) == [("critical", "reward_outcome_divergence")]
    # Another name of the reward tells nothing: it is no machine that failed.
    assert told(gold_answers, rows, **role) == [("warning", "metric_defect")]
    straight = rows.assign(reward=is_gold.astype(float))
    assert told(gold_answers, straight, **role, **source) == []


def test_a_problem_told_in_another_language_is_the_same():
    rng = np.random.default_rng(3)
    drawn = rng.integers(11, 99, (60, 3))
    english = "Chidi climbs {} floors of {} steps and {} more. How many steps is that?"
    spanish = "Hay {2} escalones aparte, y {0} pisos de {1} cada uno. ¿Cuántos sube Chidi?"
    trained = {f"t{i}": english.format(*row) for i, row in enumerate(drawn[:40])}
    translated = {f"h{i}": spanish.format(*row) for i, row in enumerate(drawn[:15])}
    others = {f"o{i}": spanish.format(*row) for i, row in enumerate(drawn[40:])}
    assert same_facts(trained, translated | others) == {f"h{i}": f"t{i}" for i in range(15)}
    assert training_twins(trained, translated | others)["h3"] == ("t3", False)
    assert same_facts(trained, others) == {}
    # Templates of a few small numbers meet by chance, in training too; a name may tell them apart.
    small = np.random.default_rng(4).integers(11, 14, (60, 2))
    told_of = [f"T{'aeiou'[i % 5]}{'lmnrs'[i // 5 % 5]}{'aeo'[i // 25]}" for i in range(60)]
    few = {f"t{i}": f"So {told_of[i]} adds {row[0]} and {row[1]}." for i, row in enumerate(small[:40])}
    new = {f"h{i}": f"Suma {told_of[i]} los números {row[0]} y {row[1]}." for i, row in enumerate(small[40:], 40)}
    assert same_facts(few, new) == {}
    anew = {f"h{i}": f"Suma {told_of[i]} los números {row[0]} y {row[1]}." for i, row in enumerate(small[:20])}
    assert same_facts(few, anew) == {f"h{i}": f"t{i}" for i in range(20)}


def test_environments_of_two_scales_in_one_batch(rng):
    in_percent = PROBLEM % 2 == 0
    scale = np.where(in_percent, 100.0, 1.0)
    rows = foreign_rows(rng, correct=np.nan)
    rows["reward"] *= scale
    centred = rows["reward"] - rows.groupby("group")["reward"].transform("mean")
    place = {"extra:env_name": np.where(in_percent, "sheet", "code")}
    found = [("warning", "metric_defect")]
    of_batch = (rows["reward"] - rows["reward"].mean()) / rows["reward"].std()
    assert told(reward_scale, rows.assign(advantage=of_batch), **place) == found
    assert told(reward_scale, rows.assign(advantage=centred), **place) == found
    assert told(reward_scale, rows, **place) == found
    assert told(reward_scale, rows.assign(advantage=centred / scale), **place) == [("info", "metric_defect")]
    assert told(reward_scale, rows.assign(reward=rows["reward"] / scale), **place) == []


def test_one_answer_to_everything(rng):
    asked = rng.integers(1, 6, PROBLEM.max() + 1)[PROBLEM].astype(str)
    answers = np.where(rng.random(COUNT) < 0.6, asked, rng.integers(1, 6, COUNT).astype(str))
    ended = np.where(rng.random(COUNT) < STEP / 9, "2", answers)
    gold_column = {"extra:reference": asked}

    def judged(given: np.ndarray, wanted: np.ndarray = asked) -> list[tuple[str, str]]:
        texts = {"final_answer": given, "is_gold": (given == wanted).astype(float), "extra:reference": wanted}
        return told(one_answer, foreign_rows(rng), **gold_column | texts)

    assert judged(ended) == [("warning", "action_collapse")]
    assert judged(answers) == []
    # From the first step on, or what problems ask for in the end: nothing collapses.
    assert judged(np.where(rng.random(COUNT) < 0.9, "2", answers)) == []
    assert judged(ended, np.where(rng.random(PROBLEM.max() + 1)[PROBLEM] < STEP / 9, "2", asked)) == []


def test_a_machine_that_does_not_learn_has_old_weights(rng):
    late, machine = STEP / (STEPS - 1), np.array([f"vllm-{place}" for place in ATTEMPT])
    chance = 0.2 + 0.75 * late
    old = ATTEMPT == 2

    def judged(chances: np.ndarray, name: str) -> list[tuple[str, str]]:
        rows = foreign_rows(rng, reward=(rng.random(COUNT) < chances).astype(float))
        return told(biased_pay, rows, **{f"extra:{name}": machine})

    assert judged(np.where(old, 0.2, chance), "replica") == [("warning", "staleness")]
    # One judge that is severe from the beginning, one machine that fails, and what names no machine.
    assert judged(np.where(old, 0.05, 0.3 + 0.65 * late), "replica") == [("warning", "reward_bias")]
    assert judged(np.where(old, chance * (late < 0.4), chance), "replica") == [("warning", "reward_bias")]
    assert judged(np.where(old, 0.2, chance), "variant") == [("warning", "reward_bias")]
    assert judged(chance, "replica") == []
