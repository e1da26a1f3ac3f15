"""Grading again in a process of its own: steady graders agree with themselves, flaky ones are told, failures apart."""

import os
from collections.abc import Sequence
from typing import Any

import pytest

from evotrainer.config import DomainConfig
from evotrainer.diagnosis.evaluator_audit import finding_of
from evotrainer.domains.math.grader import MathGrader
from evotrainer.domains.regrading import Regrading, choose_rows, grade_again, one_process, regrade
from evotrainer.errors import GraderError
from evotrainer.records import Message, Problem, Trajectory
from tests.plain_records import plain_problem, plain_row

MATH = DomainConfig()


def problem(number: int) -> Problem:
    return plain_problem(f"p{number}", f"{number}+1", str(number + 1), family="f", split="validation")


def row(number: int, answer: str, correct: float, format_ok: bool = True, error: str | None = None) -> Trajectory:
    return plain_row(
        trajectory_id=f"v1.validation.0.p{number}.0",
        version="v1",
        split="validation",
        problem_id=f"p{number}",
        group_id=f"g{number}",
        messages=[Message(role="user", content=f"{number}+1"), Message(role="assistant", content=answer)],
        correct=None if error else correct,
        format_ok=format_ok,
        num_tokens=4,
        error=error,
    )


PROBLEMS = [problem(number) for number in range(4)]
ROWS = [
    row(0, "<answer>1</answer>", 1.0),
    row(1, "<answer>7</answer>", 0.0),
    row(2, "3", 0.0, format_ok=False),
    row(3, "<answer>4</answer>", 1.0),
]


def test_a_steady_grader_agrees_with_itself() -> None:
    found = regrade(ROWS, PROBLEMS, MATH)
    assert found == Regrading(4, (), 0)
    assert finding_of(found, "v1") is None
    assert found.metrics == {"regraded_rows": 4.0, "regraded_lost": 0.0, "regraded_share_changed": 0.0}


def test_a_grade_that_changed_is_told_with_its_row() -> None:
    rows = [ROWS[0], row(1, "<answer>7</answer>", 1.0), row(2, "3", 0.0, format_ok=True), ROWS[3]]
    found = regrade(rows, PROBLEMS, MATH)
    assert found.changed == ("v1.validation.0.p1.0", "v1.validation.0.p2.0")
    finding = finding_of(found, "v1")
    assert finding is not None
    assert (finding.mode, finding.severity, finding.diagnostic) == ("flaky_grading", "critical", "regrading")
    assert finding.message == (
        "2 of 4 rows got another grade when they were graded again (limit 1%): make the grader deterministic"
    )
    assert finding.trajectory_ids == list(found.changed)


def test_one_change_in_many_rows_is_a_warning() -> None:
    finding = finding_of(Regrading(400, ("a",), 0), "v1")
    assert finding is not None and finding.severity == "warning"


def test_a_second_grading_that_fails_is_lost_and_no_change(monkeypatch: pytest.MonkeyPatch) -> None:
    grade = MathGrader.grade

    def failing(self: MathGrader, item: Problem, *arguments: Any) -> Any:
        if item.problem_id == "p3":
            raise GraderError("the worker died")
        return grade(self, item, *arguments)

    monkeypatch.setattr(MathGrader, "grade", failing)
    again = grade_again(MATH, list(zip(PROBLEMS, ROWS, strict=True)))
    assert again == [(1.0, True), (0.0, True), (0.0, False), None]


def test_another_process_grades() -> None:
    here = os.getpid()
    with one_process() as pool:
        assert pool.submit(os.getpid).result() != here


def test_rows_are_drawn_by_the_seed_and_lost_ones_never() -> None:
    rows: Sequence[Trajectory] = [*ROWS, row(5, "", 0.0, error="GraderError")]
    chosen = choose_rows(rows, 3, 7)
    assert chosen == choose_rows(list(reversed(rows)), 3, 7)
    assert len(chosen) == 3 and all(item.error is None for item in chosen)
    assert len(choose_rows(rows, 99, 7)) == 4
    assert choose_rows(rows, 0, 7) == []
    assert regrade([], PROBLEMS, MATH).metrics == {}
    assert Regrading(0, (), 3).metrics == {"regraded_rows": 0.0, "regraded_lost": 3.0}, "all lost: counted, no share"
