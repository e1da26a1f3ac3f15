import csv
import os
import signal
from pathlib import Path

import pytest

from evotrainer.config import DomainConfig
from evotrainer.domains import create_grader
from evotrainer.domains.math import symbolic
from evotrainer.domains.math.answers import answers_equal
from evotrainer.domains.math.grader import extract_answer, extract_leniently, share_of_digits
from evotrainer.errors import GraderError
from evotrainer.records import Message, Problem

pytestmark = pytest.mark.parts


def problem(answer):
    return Problem(problem_id="p", domain="math", family="add", split="train", prompt="47+385=?", answer=answer)


def grade(response, answer="432"):
    messages = [Message(role="user", content="47+385=?"), Message(role="assistant", content=response)]
    return create_grader(DomainConfig()).grade(problem(answer), messages, "stop")


@pytest.mark.parametrize(
    ("response", "answer"),
    [
        ("7+5=12<answer>432</answer>", "432"),
        ("<answer> 432 </answer>\n", "432"),
        ("the sum is \\boxed{432}.", "432"),
        ("\\boxed{1} or \\boxed{\\frac{1}{2}}", "\\frac{1}{2}"),
        ("432", None),
        ("<answer>432", None),
        ("432</answer>", None),
        ("<answer>432</answer> I think", None),
        ("<answer>1</answer><answer>432</answer>", None),
        ("<answer><answer>432</answer>", None),
        ("<answer></answer>", None),
        ("<answer>432 so \\boxed{432}", None),
        ("\\boxed{432", None),
        ("", None),
    ],
)
def test_the_gate_takes_one_closed_answer_at_the_end(response, answer):
    assert extract_answer(response) == answer


@pytest.mark.parametrize(
    ("response", "answer"),
    [
        ("7+5=12,432", "432"),
        ("<answer>432", "432"),
        ("<answer>432</answer> I think 5", "432"),
        ("so \\boxed{432}, checked 3 times", "432"),
        ("no idea", None),
    ],
)
def test_the_lenient_reading_takes_what_was_meant(response, answer):
    assert extract_leniently(response) == answer


def test_math_verify_that_takes_too_long_is_an_infrastructure_error_and_the_next_question_works(monkeypatch):
    assert symbolic.is_equivalent("x+1", "1+x")
    os.kill(symbolic._WORKER.process.pid, signal.SIGSTOP)
    monkeypatch.setattr(symbolic, "ANSWER_SECONDS", 0.05)
    with pytest.raises(GraderError, match="took over 0.05 s on the answer '1\\+x'"):
        symbolic.is_equivalent("x+1", "1+x")
    monkeypatch.undo()
    assert symbolic.is_equivalent("x+1", "1+x")


def test_a_worker_that_dies_is_an_infrastructure_error(monkeypatch):
    monkeypatch.setattr(symbolic, "_WORKER", symbolic._Worker())
    monkeypatch.setattr("multiprocessing.spawn._python_exe", b"/bin/false")
    with pytest.raises(GraderError, match="ended while it started"):
        symbolic.is_equivalent("x+1", "1+x")


def test_a_right_answer_earns_all_terms():
    graded = grade("7+5=12,8+4+1=13,3+1=4<answer>432</answer>")
    assert graded.terms == {"correct": 1.0, "format": 1.0, "partial": 1.0}
    assert graded.correct == 1.0
    assert graded.format_ok
    assert graded.extra == {"family": "add", "answer": "432", "lenient_correct": 1.0}


def test_a_wrong_answer_earns_its_digits():
    graded = grade("<answer>442</answer>")
    assert graded.terms == {"correct": 0.0, "format": 1.0, "partial": pytest.approx(2 / 3)}
    assert graded.extra["lenient_correct"] == 0.0


def test_a_right_answer_that_fails_the_gate_is_wrong_and_shows_under_the_lenient_reading():
    graded = grade("7+5=12,8+4+1=13,3+1=4<answer>432")
    assert graded.terms == {"correct": 0.0, "format": 0.0, "partial": 0.0}
    assert not graded.format_ok
    assert graded.extra["lenient_correct"] == 1.0


@pytest.mark.parametrize(
    ("truth", "given", "share"),
    [("432", "432", 1), ("432", "32", 2 / 3), ("432", "1432", 0.75), ("432", "", 0), ("432", "4x", 0), ("x", "432", 0)],
)
def test_partial_credit_counts_digits_from_the_last(truth, given, share):
    assert share_of_digits(truth, given) == pytest.approx(share)


_TABLE = Path(__file__).parents[1] / "golden" / "math_answers.tsv"
PAIRS = list(csv.DictReader(_TABLE.open(encoding="utf-8"), delimiter="\t", quoting=csv.QUOTE_NONE))
"""Pairs of the kinds that issues of public graders are about. `left`: right, and not taken for it."""


def test_a_table_of_two_hundred_pairs_is_judged_as_it_says():
    found = [row for row in PAIRS if answers_equal(row["truth"], row["given"]) != (row["verdict"] == "right")]
    assert found == [] and len(PAIRS) >= 200
    assert not answers_equal("85", "8" * 5000), "longer than an answer"
