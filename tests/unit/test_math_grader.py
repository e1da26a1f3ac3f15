import csv
import os
import signal
import sys
from pathlib import Path

import pytest

from evotrainer.config import DomainConfig
from evotrainer.domains import create_environment, create_grader
from evotrainer.domains.math import symbolic
from evotrainer.domains.math.answers import answers_equal
from evotrainer.domains.math.grader import extract_answer, extract_leniently, share_of_digits
from evotrainer.errors import ConfigError, GraderError
from evotrainer.records import Message, Problem

pytestmark = pytest.mark.parts


def problem(answer="432", prompt="47+385=?"):
    return Problem(problem_id="p", domain="math", family="add", split="train", prompt=prompt, answer=answer)


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
    os.kill(symbolic._WORKER._process.pid, signal.SIGSTOP)
    monkeypatch.setattr(symbolic, "ANSWER_SECONDS", 0.05)
    with pytest.raises(GraderError, match="took over 0.05 s on the answer '1\\+x'"):
        symbolic.is_equivalent("x+1", "1+x")
    monkeypatch.undo()
    assert symbolic.is_equivalent("x+1", "1+x")


def test_a_worker_that_dies_is_an_infrastructure_error(monkeypatch):
    symbolic._WORKER.stop()
    monkeypatch.setattr(sys, "executable", "/bin/false")
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


def test_an_episode_shows_the_problem_and_ends_with_the_first_answer():
    environment = create_environment(DomainConfig(system_prompt="Answer in \\boxed{}."))
    assert [(message.role, message.content) for message in environment.reset(problem(), seed=1)] == [
        ("system", "Answer in \\boxed{}."),
        ("user", "47+385=?"),
    ]
    assert environment.step(Message(role="assistant", content="<answer>1</answer>")) == ([], True)
    assert [message.role for message in create_environment(DomainConfig()).reset(problem(), seed=1)] == ["user"]


@pytest.mark.parametrize("create", [create_environment, create_grader])
def test_an_unknown_domain_lists_the_choices(create):
    with pytest.raises(ConfigError, match="domain.name='chess' is unknown: choose from math, code, swe"):
        create(DomainConfig(name="chess"))


RIGHT = [
    ("85", "085", "zeros in front"),
    ("85", "+85", "a sign"),
    ("85", "$85$", "delimiters of math"),
    ("85", "\\(85\\)", "delimiters of math"),
    ("85", "\\boxed{85}", "a box within the answer"),
    ("85", "85.", "the point of a sentence"),
    ("85", '"85"', "quotes"),
    ("85", "x = 85", "a name for the number"),
    ("x=85", "85", "a name for the number"),
    ("-3", "−3", "the minus of typography"),
    ("-3", "\\(-3\\)", "a negative number"),
    ("42", "42.0", "decimals"),
    ("0.5", ".5", "no digit before the point"),
    ("1234", "1,234", "commas between thousands"),
    ("1234567", "1 234 567", "blanks between thousands"),
    ("1234", "1\\,234", "a LaTeX blank between thousands"),
    ("1234", "1{,}234", "a LaTeX comma between thousands"),
    ("1234.5", "1,234.50", "thousands and decimals"),
    ("42", "84/2", "a fraction that is whole"),
    ("0.5", "1/2", "a fraction"),
    ("\\frac{1}{2}", "0.5", "a decimal for a fraction"),
    ("\\frac{1}{2}", "\\dfrac12", "another fraction of LaTeX"),
    ("-\\frac{1}{2}", "\\frac{-1}{2}", "the sign within a fraction"),
    ("7/2", "3\\frac{1}{2}", "a mixed number"),
    ("42", "\\frac{84}{2}", "a fraction of LaTeX that is whole"),
    ("1500", "1.5 \\times 10^{3}", "scientific notation"),
    ("1500", "1.5e3", "scientific notation of programs"),
    ("-1/2", "\\frac{1}{-2}", "the sign below the line"),
    ("50%", "50\\%", "percent in LaTeX"),
    ("50%", "50 percent", "percent in words"),
    ("50%", "0.5", "the value of a percentage"),
    ("50", "50%", "percent where it was asked for"),
    ("5", "5 cm", "a unit that the truth leaves out"),
    ("5 cm", "5", "a unit that the answer leaves out"),
    ("5 cm", "5\\text{ centimeters}", "a unit in its long form"),
    ("5", "5\\ \\mathrm{km/h}", "a unit of two"),
    ("12", "12 square meters", "a unit of an area"),
    ("12 m^2", "12 square meters", "a unit of an area in its short form"),
    ("5", "$5", "money"),
    ("5 dollars", "\\$5", "money in words and in LaTeX"),
    ("45", "45^\\circ", "degrees"),
    ("45^\\circ", "45 degrees", "degrees in words"),
    ("blue whale", "Blue  whale.", "case, blanks and a point"),
    ("no solution", "“No solution”", "quotes of typography"),
    ("Friday", "\\text{Friday}", "a style of LaTeX"),
    ("B", "(b)", "the letter of a choice"),
    ("B", "\\textbf{(B)}", "the letter of a choice, in a style"),
    ("March 5, 2020", "march 5 2020", "a date without its comma"),
    ("12/25/2020", "12/25/2020.", "a date as written"),
    ("10:30", "10:30", "a time as written"),
    ("x+1", "1+x", "terms in another order"),
    ("x+1", "x\\ +\\,1", "LaTeX blanks"),
    ("sinx cosx", "cosx sinx", "functions are no words"),
    ("xy", "yx", "a product"),
    ("2\\sqrt{3}", "\\sqrt{12}", "a root"),
    ("2\\pi", "2π", "a sign for its command"),
    ("(-\\infty,3]", "\\left(-\\infty, 3\\right]", "an interval"),
    ("\\{1,2\\}", "\\{2, 1\\}", "a set in another order"),
    ("y=2x+1", "2x+1", "a name for the expression"),
]

WRONG = [
    ("85", "58", "another number"),
    ("85", "-85", "another sign"),
    ("85", "85r1", "a remainder"),
    ("85", "8 5", "digits apart"),
    ("1234", "12,34", "commas that part no thousands"),
    ("1234", "1.234", "a point parts decimals"),
    ("0.5", "0,5", "a comma parts no decimals"),
    ("85", "1/0", "no number"),
    ("85", "8" * 5000, "longer than an answer"),
    ("12345678901234567890123", "12345678901234567890124", "the last of many digits"),
    ("42", "\\frac{85}{2}", "another fraction"),
    ("7/2", "31/2", "a mixed number without its blank"),
    ("\\frac{1}{3}", "0.33", "a rounded number"),
    ("2\\pi", "6.28", "a rounded number"),
    ("432", "47+385", "a sum that is not computed"),
    ("432", "47\\,+\\,385", "a sum that is not computed, in LaTeX"),
    ("12", "\\sqrt{144}", "a root that is not computed"),
    ("0.5", "0.5%", "half a percent is no half"),
    ("50%", "5", "another percentage"),
    ("5", "5 million", "a word that is no unit"),
    ("5", "5x", "a variable"),
    ("5", "five", "words for numbers are not read"),
    ("5 cm", "5 m", "another unit"),
    ("$5", "€5", "another currency"),
    ("5 m", "5 m^2", "another power of a unit"),
    ("x=5", "y=5", "another variable"),
    ("x+1", "x+2", "another expression"),
    ("listen", "silent", "words are no products"),
    ("no solution", "solution no", "words in another order"),
    ("Yes", "Yes and no", "more words"),
    ("B", "(C)", "another choice"),
    ("2020-12-25", "1983", "a date is no difference"),
    ("12/25/2020", "12/50500", "a date is no quotient"),
    ("March 5, 2020", "May 3, 2020", "another date"),
    ("3:4", "3/4", "a ratio as written"),
    ("(1,2)", "(2,1)", "a pair in another order"),
    ("[1,2)", "(1,2]", "another interval"),
]

_TABLE = Path(__file__).parents[1] / "golden" / "math_answers.tsv"
PAIRS = list(csv.DictReader(_TABLE.open(encoding="utf-8"), delimiter="\t", quoting=csv.QUOTE_NONE))
"""Pairs of the kinds that issues of public graders are about. `left`: right, and not taken for it."""


def test_a_table_of_two_hundred_pairs_is_judged_as_it_says():
    found = [row for row in PAIRS if answers_equal(row["truth"], row["given"]) != (row["verdict"] == "right")]
    assert found == [] and len(PAIRS) >= 200


@pytest.mark.parametrize(("truth", "given", "reason"), RIGHT)
def test_a_variant_of_a_right_answer_is_right(truth, given, reason):
    assert answers_equal(truth, given), reason


@pytest.mark.parametrize(("truth", "given", "reason"), WRONG)
def test_a_wrong_answer_that_looks_like_it_is_wrong(truth, given, reason):
    assert not answers_equal(truth, given), reason
