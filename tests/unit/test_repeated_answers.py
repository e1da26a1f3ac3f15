"""Repeated answers: odd grades are counted by attempt, and a few slips are no grader that flips."""

import pandas as pd
import pytest

from evotrainer.diagnosis.thresholds import Thresholds
from harness_plugins.score.grading import Repeated, repeated_answers

LIMITS = Thresholds()


def of(grades: dict[str, list[float]]) -> Repeated:
    rows = pd.DataFrame(
        [{"problem_id": name[0], "answer": name, "correct": grade} for name, many in grades.items() for grade in many]
    )
    return repeated_answers((rows, ["problem_id", "answer"], "correct"))


def test_another_grade_than_most_of_an_answer_is_odd_and_an_answer_met_once_counts_nothing() -> None:
    found = of({"a1": [1, 1, 1, 0.5], "a2": [0, 0], "b1": [0, 1], "c1": [1]})
    assert (found.odd, found.attempts, list(found.flaky.index)) == (2, 8, ["a", "b"])


@pytest.mark.parametrize(
    ("flips", "steady", "many"), [(30, 200, True), (2, 4, False), (4, 400, False), (4, 40, True), (0, 50, False)]
)
def test_several_answers_and_more_than_a_hundredth_of_attempts_are_many(flips: int, steady: int, many: bool) -> None:
    grades = {f"x{n}": [1.0, 1.0, 0.0] for n in range(flips)} | {f"y{n}": [1.0, 1.0] for n in range(steady)}
    assert of(grades).is_many(LIMITS) is many


def test_parts_count_apart() -> None:
    rows = pd.DataFrame({"problem_id": ["p"] * 2, "text": ["t"] * 2, "answer": ["1"] * 2, "correct": [0.0, 1.0]})
    found = repeated_answers((rows, ["problem_id", "text"], "correct"), (rows, ["problem_id", "answer"], "correct"))
    assert (found.odd, found.attempts) == (2, 4)
