"""Grading programs: what is strict, and what is measured beside the grade, beyond the answers of tests/golden."""

from typing import Any

import pytest

from evotrainer.config import DomainConfig
from evotrainer.domains import create_grader
from evotrainer.records import Message, Problem
from evotrainer.records.evidence import CHECKS, MEANINGS
from tests.swe_problems import HONEST_HEADS

pytestmark = pytest.mark.parts

CODE = DomainConfig(name="code", data_path="data/code")
CANARY = "canary-0123456789abcdef"


def pairs(*pairs: tuple[Any, Any]) -> list[dict[str, Any]]:
    return [{"input": given, "outputs": [output]} for given, output in pairs]


def problem(function="f", visible=None, hidden=None, reference="def f(x): return x + 1", **data):
    visible = pairs(([1], 2), ([5], 6)) if visible is None else visible
    hidden = pairs(([2], 3), ([7], 8), ([-1], 0), ([40], 41)) if hidden is None else hidden
    data = {"function": function, "visible": visible, "hidden": hidden, "canary": CANARY, **data}
    return Problem(problem_id="p", domain="code", family="own", split="train", prompt="?", answer=reference, data=data)


def printing(reference="print(int(input()) + 1)", **data):
    return problem(
        None, pairs(("1\n", "2\n")), pairs(("2\n", "3\n"), ("7\n", "8\n"), ("-1\n", "0\n")), reference, **data
    )


def fenced(program):
    return f"```python\n{program}\n```"


def grade(program, of=None, stop_reason="stop", is_fenced=True):
    messages = [Message(role="user", content="?")]
    messages.append(Message(role="assistant", content=fenced(program) if is_fenced else program))
    return create_grader(CODE).grade(of or problem(), messages, stop_reason)


def checks(program, of=None):
    return grade(program, of).extra[CHECKS]


def test_a_right_function_passes():
    graded = grade("def f(x):\n    return x + 1")
    assert (graded.correct, graded.format_ok) == (1.0, True)
    assert graded.extra[CHECKS].keys() <= MEANINGS.keys()
    assert graded.extra["family"] == "own"
    assert graded.extra["answer"] == "def f(x):\n    return x + 1\n"


@pytest.mark.parametrize("head", HONEST_HEADS.values(), ids=HONEST_HEADS)
def test_an_honest_program_is_judged_by_what_it_does(head):
    assert grade(f"{head}def f(x):\n    return x + 1").correct == 1.0
    assert grade(f"{head}print(int(input()) + 1)", printing()).correct == 1.0


@pytest.mark.parametrize(
    ("program", "output"),
    [
        ("def f(x): return (1, 2)", [1, 2]),
        ("def f(x): return [(1,), (2,)]", [[1], [2]]),
        ("def f(x): return {1, 2}", [1, 2]),
        ("def f(x): return range(2)", [0, 1]),
    ],
)
def test_types_count(program, output):
    graded = grade(program, problem(visible=[], hidden=pairs(([1], output), ([2], output)), reference=""))
    assert graded.terms == {"correct": 0.0, "partial": 0.0, "format": 1.0}


BLANKS, OTHERS = ["3\n", "3", "  3  \n\n", "\n3"], ["3.0", "03", "3 3", "3\n\n3", "", "three"]


@pytest.mark.parametrize("printed", [*BLANKS, *OTHERS])
def test_blanks_around_printed_lines_do_not_count_and_other_text_does(printed):
    of = problem(None, [], pairs(("", "3\n")), "")
    assert grade(f"print({printed!r}, end='')", of).correct == float(printed in BLANKS)


@pytest.mark.parametrize(
    ("program", "result", "error"),
    [
        ("def g(x): return x", "nonzero_exit", "AttributeError"),
        ("import os, signal\ndef f(x): os.kill(os.getpid(), signal.SIGKILL)", "killed", ""),
    ],
)
def test_a_failure_has_its_kind(program, result, error):
    graded = grade(program, problem(seconds=0.5))
    assert (graded.extra["result"], graded.extra["error"]) == (result, error)
    assert graded.extra["verdicts"] == {result: 4}
    assert graded.terms == {"correct": 0.0, "partial": 0.0, "format": 1.0}


def test_state_between_calls_decides_nothing_that_a_call_alone_would_not():
    spoiled = grade("seen = []\ndef f(x):\n    seen.append(x)\n    assert len(seen) < 3\n    return x + 1")
    assert spoiled.extra["verdicts"] == {"passed": 4}


def test_a_class_solution_answers_for_a_function_and_the_other_way_round():
    method = "class Solution:\n    def f(self, x):\n        return x + 1"
    assert grade(method).correct == 1.0
    assert grade(method, problem("Solution.f")).correct == 1.0
    assert grade("def f(x): return x + 1", problem("Solution.f")).correct == 1.0
    assert grade("def f(x): return x + 1\nclass Solution: pass", problem("Solution.f")).correct == 1.0


def test_a_prelude_stands_before_each_program():
    of = problem(prelude="from typing import List\n", reference="def f(x: List): return x + 1")
    assert grade("def f(x: List): return x + 1", of).correct == 1.0
    assert checks("def f(x: List): return x + 1", of)["reference_fails"] == 0.0
    assert grade("def f(x: List): return x + 1").correct == 0.0


def test_what_cannot_be_measured_is_left_out():
    found = checks("print(1)", problem(None, [], pairs(("", "1")), reference=""))
    assert {"visible_share", "perturbed_share", "loose_correct", "reference_fails"}.isdisjoint(found)


@pytest.mark.parametrize(
    ("program", "loose"),
    [
        ("def f(x): return object()", 0.0),
        ("def f(x): return x + 1.0", 1.0),
        ("from decimal import Decimal\ndef f(x): return Decimal(x + 1)", 0.0),
        ("def f(x): return {x + 1}", 0.0),
        ("def f(x):\n    while True: yield x", 0.0),
        ("class Deep:\n    __eq__ = lambda a, b: 1 / 0\n    __int__ = lambda a: f(f)\ndef f(x): return Deep()", 0.0),
        ("import os\nclass Bye:\n    def __eq__(self, other): os._exit(0)\ndef f(x): return Bye()", 0.0),
    ],
)
def test_values_that_are_right_by_equality_alone_are_seen(program, loose):
    graded = grade(program)
    assert graded.correct == 0.0
    assert graded.extra[CHECKS]["loose_correct"] == loose


ANY = "class Any:\n    def __eq__(self, other): return {}\n    __hash__ = None\n"


@pytest.mark.parametrize(
    ("program", "output", "found"),
    [
        (ANY.format(True) + "def f(x): return Any()", {"a": [1]}, (1.0, 1.0)),
        (ANY.format("isinstance(other, str)") + "def f(x): return Any()", 5, (0.0, 0.0)),
        ("class Solution:\n    def f(self, x): return Any()\n" + ANY.format(True), 5, (1.0, 1.0)),
        ("from unittest.mock import ANY\ndef f(x): return ANY", 5, (1.0, 1.0)),
        ("def f(x): return {1: 2}", {"1": 2}, (0.0, 0.0)),
    ],
)
def test_what_equals_anything_is_told_from_another_type_with_the_right_value(program, output, found):
    graded = checks(program, problem(visible=[], hidden=pairs(([1], output), ([2], output)), reference=""))
    assert (graded["loose_correct"], graded["custom_equality"]) == found


@pytest.mark.parametrize(
    ("program", "of", "collected", "early"),
    [
        ("import sys\ndef f(x): sys.exit(0)", problem(), 0.0, 1.0),
        ("def f(x):\n    if x == 7: exit()\n    return x + 1", problem(), 3.0, 1.0),
        ("print(int(input()) + 1)\nexit()", printing(), 3.0, 0.0),
        ("pass", printing(), 3.0, 0.0),
    ],
)
def test_leaving_before_the_answer_is_seen(program, of, collected, early):
    found = checks(program, of)
    assert (found["num_collected"], found["exited_early"]) == (collected, early)


def test_a_canary_in_the_answer_or_in_what_it_says_is_seen():
    assert checks(f"# {CANARY}\ndef f(x): return x + 1")["reads_answers"] == 1.0
    assert checks(f"print({CANARY[:9]!r} + {CANARY[9:]!r})", printing())["reads_answers"] == 1.0
    assert grade(f"It says {CANARY}", is_fenced=False).extra[CHECKS]["reads_answers"] == 1.0


def test_weak_verifiers_are_seen():
    assert checks("def f(x): return 1", problem(reference="def f(x): return x"))["reference_fails"] == 1.0
    assert checks("def f(x): return 1", problem(reference="def f(x): return 1 / 0"))["reference_fails"] == 1.0
    nothing = problem(visible=[], hidden=pairs(([1], None), ([2], None)), reference="")
    assert checks("def f(x): pass", nothing)["empty_passes"] == 1.0
    silent = problem(None, [], pairs(("1", ""), ("2", "\n")), reference="")
    assert checks("pass", silent)["empty_passes"] == 1.0
    assert checks("print(int(input()) + 1)", printing("print(3)"))["reference_fails"] == 1.0


def test_hidden_tests_that_the_statement_shows_are_seen():
    shown, secret = pairs(([1], 2), ([2], 3)), pairs(([5], 6))
    assert checks("def f(x): return x + 1", problem(visible=shown, hidden=shown))["shown_tests"] == 1.0
    assert checks("def f(x): return x + 1", problem(visible=shown, hidden=[shown[0], *secret]))["shown_tests"] == 0.5
