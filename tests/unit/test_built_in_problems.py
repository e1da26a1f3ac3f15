"""The built-in problems: canonical forms of two domains, and code problems that their references solve."""

import pytest

from evotrainer.config import DomainConfig
from evotrainer.domains import create_grader
from evotrainer.domains.code.rows import canonical_form as canonical_statement
from evotrainer.domains.frozen import ALPHABET
from evotrainer.domains.math.rows import canonical_form
from evotrainer.records import Message, Problem
from tests.frozen_problems import built_in, by_family

pytestmark = pytest.mark.parts

CODE = by_family("code", "test")


@pytest.mark.parametrize(
    ("prompt", "variant", "other"),
    [
        ("47+385=?", "385 + 47 = ?", "47+386=?"),
        ("47-38=?", "47 - 38=?", "38-47=?"),
        ("47*6=?", "6*47=?", "46*7=?"),
        ("3*4+5*6=?", "6*5+4*3=?", "3*5+4*6=?"),
        ("sort 4738", "sort 8374", "sort 4739"),
        ("reverse 4738", "Reverse 4738", "reverse 8374"),
        ("digit sum 4738", "digit sum 8743", "digit sum 4739"),
        ("next 24,31,38", "next 24, 31, 38", "next 38,31,24"),
    ],
)
def test_trivial_variants_share_a_canonical_form(prompt, variant, other):
    assert canonical_form(prompt) == canonical_form(variant) != canonical_form(other)
    assert canonical_form("What is the sum of 47 and 38?") is None


def test_words_that_mean_the_same_share_a_canonical_form():
    over_4 = canonical_statement("f(xs): sum of numbers over 4")
    assert canonical_statement("f(xs): sum of numbers from 5 on\nf([1]) == 0") == over_4
    assert canonical_statement("f(xs):  sum of numbers over 5") != over_4
    assert canonical_statement("Write a function that sums a list.") is None


@pytest.mark.parametrize(("domain", "form"), [("math", canonical_form), ("code", canonical_statement)])
def test_every_problem_has_a_canonical_form_of_its_own(domain, form):
    problems = list(built_in(domain, "train", "probe", "validation", "test", "holdout"))
    forms = {form(problem.prompt) for problem in problems}
    assert None not in forms and len(forms) == len(problems)
    assert set("".join(problem.prompt for problem in problems)) <= set(ALPHABET)


def _grade(problem: Problem, program: str):
    answer = Message(role="assistant", content=f"```python\n{program}\n```")
    return create_grader(DomainConfig(name="code")).grade(problem, [answer], "stop")


@pytest.mark.parametrize("family", CODE)
def test_the_reference_passes_and_an_empty_answer_does_not(family):
    problem = CODE[family]
    graded = _grade(problem, problem.answer)
    assert graded.terms == {"correct": 1.0, "partial": 1.0, "format": 1.0}
    assert graded.extra["checks"]["visible_share"] == 1.0
    empty = "pass" if family in ("reading", "rows") else "def f(*arguments): pass"
    assert _grade(problem, empty).correct == 0.0
    canary = problem.data["canary"]
    assert canary.startswith("canary-") and canary not in problem.prompt + problem.answer
