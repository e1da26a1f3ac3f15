"""What graders read of foreign answers: too little of the text, or more than the answer; and what looks like it."""

import numpy as np
import pandas as pd
import pytest

from evotrainer.diagnosis.context import Context
from evotrainer.diagnosis.texts.answer_marks import answer_columns, last_marked
from evotrainer.diagnosis.texts.expressions import expression_use
from evotrainer.diagnosis.texts.gold import is_same, mentions_gold, without_latex
from evotrainer.diagnosis.texts.option_letters import stated_option
from harness_plugins.elsewhere import (
    any_number_paid,
    cut_readings,
    excluded_options,
    gold_answers,
    half_answers,
    numbers_not_given,
    otherwise_evaluated,
    reference_labels,
)
from tests.foreign_frames import COUNT, PROBLEM, foreign_rows, told

OPTIONS = "Which one?\n(A) 3\n(B) 7\n(C) 9\n(D) 4\nGive the letter."
NUMBERS = "Using the numbers [3, 5, 8 and 40], make 64. Use each at most once."
DEFECT, WEAK = [("warning", "metric_defect")], [("warning", "weak_verifier")]


@pytest.fixture
def rng() -> np.random.Generator:
    return np.random.default_rng(23)


@pytest.mark.parametrize(
    ("text", "answer", "behind"),
    [
        ("So 7 rolls.\n#### 7\nThat is all.", "7", 12.0),
        ("#### Plan\nFirst.\n#### 12", "12", 0.0),
        ("Thus \\boxed{\\frac{1}{\\sqrt{2}}} m", "\\frac{1}{\\sqrt{2}}", 1.0),
        ("<answer>3 + 4</answer>", "3 + 4", 0.0),
        ("Cut off \\boxed{\\frac{1}{2}", "", 0.0),
        ("The answer is 5.", "", 0.0),
    ],
)
def test_what_stands_in_a_mark_and_behind_it(text, answer, behind):
    assert last_marked(text) == answer
    columns = answer_columns([text])
    assert columns["behind_mark"] == [behind]
    assert columns["is_marked"] == [answer != ""]


def test_fractions_of_latex_are_read():
    assert without_latex("16\\frac{1}{3}") == "16 1/3"
    assert without_latex("-\\dfrac{17}{5}") == "-17/5"
    assert is_same("\\text{Paris}", "paris")
    assert not is_same("\\frac{2}{4}", "1/2")  # lowest terms may be asked for


def test_right_answers_with_text_behind_their_mark(rng):
    is_gold, goes_on = rng.random(COUNT) < 0.7, rng.random(COUNT) < 0.4
    behind = np.where(goes_on, rng.integers(200, 500, COUNT), rng.integers(0, 12, COUNT)).astype(float)
    texts = {"is_gold": is_gold.astype(float), "is_marked": True, "behind_mark": behind}
    rows = foreign_rows(rng, reward=(is_gold & ~goes_on).astype(float), correct=np.nan)
    assert told(gold_answers, rows, **texts) == DEFECT
    assert told(gold_answers, rows.assign(reward=is_gold.astype(float)), **texts) == []


def test_a_reader_that_loses_the_whole_of_a_mixed_number(rng):
    parts, is_mixed = [f"{a % 5 + 1}/7" for a in PROBLEM], PROBLEM % 2 == 0
    mixed = [f"{a + 2} {part}" for a, part in zip(PROBLEM, parts, strict=True)]
    written = np.where(is_mixed, mixed, parts)
    texts = {"written_answer": written, "first_marked": ""}
    rows = foreign_rows(rng)
    assert told(cut_readings, rows, **texts, final_answer=np.array(parts)) == DEFECT
    assert told(cut_readings, rows, **texts, final_answer=written) == []
    texts["written_answer"] = np.where(
        is_mixed, [f"{n + 2}\\frac{{{p[0]}}}{{7}}" for n, p in zip(PROBLEM, parts, strict=True)], parts
    )
    assert told(cut_readings, rows, **texts, final_answer=written) == []


def test_words_that_tools_showed_are_paid(rng):
    assert mentions_gold({"answer": "Ines Holholm", "gts": "Ines Dundale"}, ["It was INES Dundale, in 1963."])
    assert not mentions_gold({"gts": "Ines Dundale"}, ["Ines Dundales", ""])
    assert not mentions_gold({"gts": "yes"}, ["yes"])
    is_gold, shown = rng.random(COUNT) < 0.4, rng.random(COUNT) < 0.6
    named = {"extra:gts": np.array([f"Ines Nr{place}" for place in PROBLEM])}
    wrong = np.array([f"Olaf Nr{place}" for place in range(COUNT)])
    texts = {"is_gold": is_gold.astype(float), "mentions_gold": False, "told_gold": shown, "is_marked": True}
    texts["final_answer"] = np.where(is_gold, named["extra:gts"], wrong)
    rows = foreign_rows(rng, reward=(is_gold | shown).astype(float))
    assert told(any_number_paid, rows, **texts, **named) == WEAK
    assert told(any_number_paid, rows.assign(reward=is_gold.astype(float)), **texts, **named) == []
    # A part of the name, or the name and more, may be right.
    for other in ("Ines", "Ines Nr{}, the architect"):
        texts["final_answer"] = np.where(is_gold, named["extra:gts"], [other.format(place) for place in PROBLEM])
        assert told(any_number_paid, rows, **texts, **named) == []


def test_some_values_of_several_are_paid(rng):
    gold = np.array([f"{place + 3} and -{place + 30}" for place in PROBLEM])
    kind = rng.integers(0, 3, COUNT)
    given = [(f"x={p + 3}, x=-{p + 30}", f"x_1 = {p + 3}", f"{p + 500}") for p in PROBLEM]
    written = np.array([some[k] for some, k in zip(given, kind, strict=True)])
    texts = {"written_answer": written, "is_marked": True, "extra:gts": gold}

    def judged(paid: np.ndarray, **more: object) -> list[tuple[str, str]]:
        return told(half_answers, foreign_rows(rng, reward=paid.astype(float)), **texts | more)

    assert judged(kind < 2) == WEAK
    assert judged(kind == 0) == []
    assert judged(np.where(kind == 0, 1.0, np.where(kind == 1, 0.5, 0.0))) == []
    # Alternatives, of which nobody gives all; one number with a sign within it.
    is_one = np.where(kind == 0, [f"-{p + 30}" for p in PROBLEM], written)
    assert judged(kind < 2, written_answer=is_one) == []
    assert judged(kind < 2, **{"extra:gts": np.array([f"{p + 3},000" for p in PROBLEM])}) == []


@pytest.mark.parametrize(
    ("reply", "stated"),
    [
        ("So (B). Excluded: (A), (C), (D).", "B"),
        ("Also (B). Nicht passend: (A), (C) und (D).", "B"),
        ("The answer is B. Not A) C) D)", "B"),
        ("(A) is odd. (C) and (D) are even. So (B).", ""),
        ("So (B). Wait, it is (A).", ""),
        ("So (B). Excluded: (A), (C).", ""),
        ("First (B) is 7. Then (A) is 3. Then (C) is nine. Then (D).", ""),
    ],
)
def test_the_option_that_is_stated_before_all_others(reply, stated):
    assert stated_option(OPTIONS, reply) == stated
    assert stated_option("Which letter comes first?", reply) == ""


def test_an_excluded_option_is_read(rng):
    gold = np.array(list("ABCD"))[PROBLEM % 4]
    right, lists = rng.random(COUNT) < 0.7, rng.random(COUNT) < 0.4
    letter = np.where(right, gold, "E")
    rows = foreign_rows(rng, reward=(right & ~lists).astype(float), correct=np.nan)
    texts = {"stated_option": np.where(lists, letter, ""), "final_answer": letter}
    assert told(excluded_options, rows, **texts, **{"extra:label": gold}) == DEFECT
    assert told(excluded_options, rows, **texts) == DEFECT
    fair = rows.assign(reward=right.astype(float))
    assert told(excluded_options, fair, **texts, **{"extra:label": gold}) == []
    # Those that list the others are wrong.
    wrong = texts | {"stated_option": np.where(lists, "E", "")}
    assert told(excluded_options, rows, **wrong, **{"extra:label": gold}) == []


def test_labels_beside_their_solutions(rng):
    value = PROBLEM - 20
    solution = {"extra:reference": np.array([f"so it falls. #### {number}" for number in value])}
    found = [("warning", "wrong_labels")]
    shed = {"extra:value": np.abs(value).astype(str)}
    assert told(reference_labels, foreign_rows(rng), **solution, **shed) == found
    assert told(reference_labels, foreign_rows(rng), **solution, **{"extra:value": value.astype(float)}) == []
    assert told(reference_labels, foreign_rows(rng), **solution, **{"extra:steps": PROBLEM % 3 + 100.0}) == []
    # One attempt a problem: the text may be the attempt's own.
    single = foreign_rows(rng, problem_id=[f"p{i}" for i in range(COUNT)])
    assert told(reference_labels, single, **solution, **shed) == []


@pytest.mark.parametrize(
    ("answer", "use"),
    [
        ("(3 + 5) * 8", "given"),
        ("8 \\times (5 + 3) = 64", "given"),
        ("40 + 8 + 16", "other"),
        ("3 * 5 + 8", "off"),
        ("64", ""),
        ("8 ** 2", ""),
        ("64 / 0", ""),
        ("(3 + 5 * 8", ""),
        ("sixty-four", ""),
    ],
)
def test_the_numbers_of_an_expression(answer, use):
    assert expression_use(NUMBERS, answer) == use
    assert expression_use("What is 3 plus 5, times 8?", answer) == ""


def test_expressions_of_other_numbers_are_paid(rng):
    use = rng.choice(["given", "other", "off"], COUNT)
    texts = {"expression_use": use, "final_answer": "40 + 24"}

    def judged(paid: np.ndarray, **more: object) -> list[tuple[str, str]]:
        return told(numbers_not_given, foreign_rows(rng, reward=paid.astype(float)), **texts | more)

    assert judged(use != "off") == WEAK
    assert judged(use == "given") == []
    assert judged(rng.random(COUNT) < 0.5) == []
    # A task in which everyone has other numbers.
    free = np.where(use == "given", "other", use)
    assert judged(free != "off", expression_use=free) == []


def test_an_evaluation_of_another_rule(rng):
    right, twice = rng.random(COUNT) < 0.6, rng.random(COUNT) < 0.4

    def judged(trained: np.ndarray, held: np.ndarray, **texts: object) -> list[tuple[str, str]]:
        parts = [foreign_rows(rng, reward=paid.astype(float), correct=np.nan) for paid in (trained, held)]
        parts[1] = parts[1].assign(trajectory_id="v" + parts[1]["trajectory_id"], split="validation")
        columns = {"first_marked": np.where(twice, "5", ""), "writes_gold": right, "gold_error": ~right * 0.5} | texts
        names = [*parts[0]["trajectory_id"], *parts[1]["trajectory_id"]]
        doubled = {name: np.tile(np.asarray(some), 2) for name, some in columns.items()}
        seen = pd.DataFrame({"trajectory_id": names, **doubled}).set_index("trajectory_id")
        context = Context("v", parts[0], parts[0], parts[1], pd.DataFrame(), texts=seen)
        found = otherwise_evaluated.diagnose(context).findings
        return [(one.severity, one.mode) for one in found]

    assert judged(right, right & ~twice) == DEFECT
    assert judged(right & ~twice, right) == DEFECT
    assert judged(right, right | twice) == DEFECT
    assert judged(right, right) == []
    assert judged(right & ~twice, right & ~twice) == []
    # Of answers that are no numbers the others may be right in another form, and a graded reward is no verdict.
    assert judged(right, right | twice, gold_error=np.full(COUNT, np.nan)) == []
    assert judged(right, np.where(right, rng.random(COUNT), 0.0)) == []
