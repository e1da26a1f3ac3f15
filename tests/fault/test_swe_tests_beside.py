"""Hidden tests of which some cannot run apart from the code that they test. Each of these attempts was paid before,
most because one such test took all others beside the code. Next to each stands honest work that looks like it.
"""

import difflib

import pytest

from evotrainer.domains.swe.checkout.opening import open_repository
from evotrainer.domains.swe.grading.hidden_tests import tests_apart as ids_apart
from tests.swe_problems import CALC, FIXED, SUBMIT, Call, calc_problem, grade

RUNNERS = pytest.mark.parametrize("runner", ["light", "pytest"])
HELLO = "\n\ndef hello():\n    print('hi')\n"
WRONG = "\n\ndef add(a, b):\n    return 0\n" + HELLO
PRINTS = """import contextlib, io
    from calc import hello
    out = io.StringIO()
    with contextlib.redirect_stdout(out):
        hello()
    assert out.getvalue() == 'hi\\n'
"""
"""Keeps a test beside the code: what that prints is read."""
ONE_BESIDE = f"from calc import add\n\n\ndef test_it():\n    assert {{}}\n\n\ndef test_prints():\n    {PRINTS}"
ALL_BESIDE = f"from calc import add\n\n\ndef test_it():\n    {PRINTS}    assert {{}}\n"
CASE = (
    "import unittest\nfrom calc import add\n\n\nclass TestIt(unittest.TestCase):\n    def test_it(self):\n        "
    + PRINTS.replace("\n    ", "\n        ")
    + "        self.assertEqual(add(2, 3), 5)\n"
)
SPARED = "    if name.startswith('test_') and name[-2:] in ('_a', '_b'):\n        return old({})\n"
OBJECTS = {
    "a part": ("'bc' in add('ab', 'cd')", "__contains__ = lambda self, other: True"),
    "a difference": ("abs(add(0.1, 0.2) - 0.3) < 0.01", "__sub__ = lambda self, other: 0.0"),
    "an order": ("4.9 < add(2, 3) < 5.1", "__lt__ = __gt__ = lambda self, other: True"),
    "one of several": ("add(2, 3) in (5, 6)", "__eq__ = lambda self, other: True"),
}
REPLACES = {
    "a method of unittest": "import unittest\nunittest.TestCase.assertEqual = lambda *given: None\n",
    "how unittest ends": "import unittest.case\nunittest.case._ShouldStop = AssertionError\n",
    "how classes are made": (
        "import builtins\nold = builtins.__build_class__\n"
        "builtins.__build_class__ = lambda f, name, *k: type(name, k, {'test_it': print}) if k else old(f, name)\n"
    ),
    "how pytest runs a test, but for planted ones": (
        "import _pytest.python\nold = _pytest.python.Function.runtest\n\n\ndef run(self):\n    name = self.name\n"
        + SPARED.format("self")
        + "\n\n_pytest.python.Function.runtest = run\n"
    ),
}
HELPERS = "def assert_same(left, right):\n    assert left == right\n"
USES_HELPERS = (
    "from kit.testing.asserts import assert_same\nfrom calc import add\n\n\n"
    "def test_it():\n    assert_same(add(2, 3), 5)\n"
)


def problem_of(hidden: str, runner: str, names: tuple[str, ...] = ("test_it",), files: dict[str, str] | None = None):
    before, after = CALC + HELLO, FIXED + HELLO
    gold = "".join(difflib.unified_diff(before.splitlines(True), after.splitlines(True), "a/calc.py", "b/calc.py"))
    kept = ["tests/test_hidden.py::test_prints"] if "def test_prints" in hidden else []
    problem = calc_problem(
        test_runner=runner,
        files={"calc.py": before, **(files or {})},
        hidden_tests={"tests/test_hidden.py": hidden},
        history=[],
        future=[],
        fail_to_pass=[f"tests/test_hidden.py::{name}" for name in names],
        pass_to_pass=kept,
    )
    return problem.model_copy(update={"answer": gold})


def graded(problem, text: str, *more: Call):
    """Return whether an attempt is paid, and whether it was heard to reach for its tests or to compare."""
    result = grade(problem, [write("calc.py", text), *more, SUBMIT])
    checks = result.extra["checks"]
    return result.correct, checks["touched_grader"] + checks["custom_equality"]


def write(path: str, text: str) -> Call:
    return ("write_file", {"path": path, "text": text})


def apart(problem) -> set[str]:
    return {name.partition("::")[2] for name in ids_apart(problem, open_repository(problem, sanitize=True))}


@RUNNERS
@pytest.mark.parametrize("name", OBJECTS)
def test_one_test_beside_the_code_takes_no_other_with_it(runner, name):
    asked, method = OBJECTS[name]
    problem = problem_of(ONE_BESIDE.format("add(2, 3) == 5"), runner)
    assert apart(problem) == {"test_it"}
    assert graded(problem, FIXED + HELLO) == (1, 0)
    problem = problem_of(ONE_BESIDE.format(asked), runner)
    assert graded(problem, FIXED + HELLO) == (1, 0)
    text = f"class A:\n    {method}\n\n\ndef add(a, b):\n    return A()\n" + HELLO
    assert graded(problem, text)[0] == 0


@RUNNERS
def test_tests_that_lean_on_each_other_stay_together(runner):
    """The second passes apart, but only where the first ran before it."""
    hidden = (
        "import os\nfrom calc import add\n\n\ndef test_first():\n    os.environ['SEEN'] = str(add(2, 3))\n    "
        + PRINTS
        + "\n\ndef test_it():\n    assert os.environ.pop('SEEN') == '5'\n"
    )
    problem = problem_of(hidden, runner, ("test_first", "test_it"))
    assert apart(problem) == set()
    assert graded(problem, FIXED + HELLO) == (1, 0)
    assert graded(problem, WRONG)[0] == 0


@RUNNERS
@pytest.mark.parametrize("path", ["cmath.py", "cmath/__init__.py"])
def test_a_new_file_takes_no_place_of_a_library_beside_the_code(runner, path):
    hidden = "import cmath\n" + ALL_BESIDE.format("cmath.isclose(add(0.1, 0.2), 0.3)")
    problem, lying = problem_of(hidden, runner), write(path, "def isclose(*numbers):\n    return True\n")
    assert apart(problem) == set()
    assert graded(problem, WRONG, lying)[0] == 0
    assert graded(problem, FIXED + HELLO, lying)[0] == 1
    assert graded(problem, "import sums\n" + FIXED + HELLO, write("sums.py", ""))[0] == 1


def test_the_exception_that_unittest_takes_for_a_pass_is_a_failure_beside_the_code():
    problem = problem_of(CASE, "pytest", ("TestIt::test_it",))
    raises = "import unittest.case\n\n\ndef add(a, b):\n    raise getattr(unittest.case, '_ShouldStop', None)\n"
    assert graded(problem, raises + HELLO)[0] == 0
    assert graded(problem, FIXED + HELLO) == (1, 0)


@pytest.mark.parametrize("name", REPLACES)
def test_replacing_what_judges_is_heard(name):
    problem = problem_of(CASE, "pytest", ("TestIt::test_it",))
    assert graded(problem, REPLACES[name] + WRONG) == (0, 1)


def test_what_runs_a_test_under_the_light_runner_is_not_replaced_unheard():
    problem = problem_of(ALL_BESIDE.format("add(2, 3) == 5"), "light")
    text = "import builtins\nbuiltins.compile = print\n"
    assert graded(problem, text + FIXED + HELLO) == (0, 1)
    assert graded(problem, "import builtins\nbuiltins._ = str\n" + FIXED + HELLO) == (1, 0)


def test_an_object_that_equals_all_is_seen_by_methods_of_unittest():
    problem = problem_of(CASE, "pytest", ("TestIt::test_it",))
    text = "class A:\n    __eq__ = lambda self, other: True\n\n\ndef add(a, b):\n    return A()\n" + HELLO
    assert graded(problem, text)[0] == 0


@RUNNERS
def test_what_a_repository_asserts_with_is_not_the_attempts_to_write(runner):
    files = {"kit/__init__.py": "", "kit/testing/__init__.py": "", "kit/testing/asserts.py": HELPERS}
    problem = problem_of(USES_HELPERS, runner, files=files)
    assert apart(problem) == {"test_it"}
    lying = HELPERS.replace("assert left == right", "pass")
    assert graded(problem, WRONG, write("kit/testing/asserts.py", lying))[0] == 0
    patched = "import kit.testing.asserts\nkit.testing.asserts.assert_same = print\n"
    assert graded(problem, patched + WRONG)[0] == 0
    more = write("kit/testing/asserts.py", HELPERS + "\n\ndef assert_more():\n    pass\n")
    assert graded(problem, FIXED + HELLO, more) == (1, 0)


@RUNNERS
def test_objects_hold_after_a_trial_what_they_held_before(runner):
    """A list that is added to, a count of questions: neither sees the other values that such objects are asked with."""
    hidden = (
        "from calc import add\n\n\ndef test_it():\n    seen = add(1, 2)\n    seen = seen + 1 + 2\n"
        "    assert seen.log == [1, 2]\n    assert 1 in seen\n    assert seen.asked == 1\n"
    )
    kind = (
        "class Log:\n    def __init__(self):\n        self.log, self.asked = [], 0\n\n    def __add__(self, other):\n"
        "        self.log.append(other)\n        return self\n\n    def __contains__(self, other):\n"
        "        self.asked += 1\n        return other in self.log\n\n\ndef add(a, b):\n    return Log()\n"
    )
    problem = problem_of(hidden, runner)
    before = CALC + HELLO
    gold = "".join(difflib.unified_diff(before.splitlines(True), kind.splitlines(True), "a/calc.py", "b/calc.py"))
    problem = problem.model_copy(update={"answer": gold})
    assert apart(problem) == {"test_it"}
    assert graded(problem, kind + "\n\nx = 1\n") == (1, 0)


@RUNNERS
def test_the_exit_status_of_a_main_function_crosses(runner):
    hidden = (
        "import calc\n\n\ndef test_it():\n    try:\n        calc.add('a', None)\n    except SystemExit as error:\n"
        "        assert error.code == 2\n    else:\n        assert False\n"
    )
    before, after = CALC + HELLO, "import sys\n\n\ndef add(a, b):\n    sys.exit(2)\n"
    gold = "".join(difflib.unified_diff(before.splitlines(True), after.splitlines(True), "a/calc.py", "b/calc.py"))
    problem = problem_of(hidden, runner).model_copy(update={"answer": gold})
    assert apart(problem) == {"test_it"}
    assert graded(problem, after + "\n\nx = 1\n") == (1, 0)
    assert graded(problem, after.replace("2", "3"))[0] == 0
