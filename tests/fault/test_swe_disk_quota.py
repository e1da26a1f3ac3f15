"""Files of an attempt that fill the disk or stand in each other's way: its own failure, and never the machine's, by
which it would be masked.
"""

import pytest

from evotrainer.domains.swe.checkout.disk import open_repository
from evotrainer.domains.swe.checkout.files import MAX_BYTES, MAX_ENTRIES
from evotrainer.domains.swe.checkout.repository import Snapshot
from evotrainer.domains.swe.hidden_tests import run_hidden
from tests.swe_problems import FIX, FIXED, SUBMIT, calc_problem, grade, play

DEEP = [("write_file", {"path": f"{number}/" + "a/" * 98 + "x", "text": ""}) for number in range(45)]
WIDE = [("write_file", {"path": f"{number}.txt", "text": "\u20ac" * 199_999}) for number in range(16)]


def write(path, text=""):
    return ("write_file", {"path": path, "text": text})


@pytest.fixture(params=["light", "pytest"])
def problem(request):
    return calc_problem(test_runner=request.param)


@pytest.mark.parametrize("calls", [DEEP, WIDE], ids=["folders", "bytes"])
def test_a_full_working_copy_refuses_and_is_graded(problem, calls):
    messages = play(problem, [*calls, SUBMIT])
    refused = [message for message in messages if message.role == "tool" and not message.ok]
    assert refused and all(message.content.startswith("no space left") for message in refused)
    assert grade(problem, [*calls, SUBMIT]).correct == 0
    assert grade(problem, [*calls, FIX, SUBMIT]).correct == 1, "what fits is graded as ever"


def test_a_state_beyond_the_bounds_runs_no_test(problem):
    """As git may make one of states within them."""
    repository = open_repository(problem, sanitize=True)
    many = {"calc.py": FIXED} | {f"d/{number}": "" for number in range(MAX_ENTRIES)}
    for changes in (many, {"calc.py": FIXED, "x": "y" * (MAX_BYTES + 1)}, {"calc.py": FIXED, "x": "", "x/y": ""}):
        run = run_hidden(problem, Snapshot(repository, changes))
        assert {result.status for result in run.results.values()} == {"missing"}


def test_the_sandbox_has_room_for_all_that_is_within_the_bounds(problem):
    repository = open_repository(problem, sanitize=True)
    most = {"calc.py": FIXED} | {f"{number}": "\u20ac" * 2700 for number in range(MAX_ENTRIES)}
    run = run_hidden(problem, Snapshot(repository, most))
    assert {result.status for result in run.results.values()} == {"passed"}


def test_a_file_in_the_place_of_hidden_tests_gives_way():
    """The repository has no tests of its own, so that a file can be called as their folder."""
    bare = {"calc.py": FIXED.replace("a + b", "a - b"), "texts.py": "def shout(text):\n    return text.upper() + '!'\n"}
    for runner in ("light", "pytest"):
        problem = calc_problem(test_runner=runner, files=bare, history=[], future=[])
        assert grade(problem, [write("tests"), SUBMIT]).correct == 0
        assert grade(problem, [write("tests"), FIX, SUBMIT]).correct == 1
    hidden = {"pkg/test_x.py": "from calc import add\n\n\ndef test_add():\n    assert add(2, 3) == 5\n"}
    beside = calc_problem(hidden_tests=hidden, fail_to_pass=["pkg/test_x.py::test_add"], pass_to_pass=[])
    assert grade(beside, [write("pkg/test_x.py/y.txt"), SUBMIT]).correct == 0
    assert grade(beside, [write("pkg/test_x.py/y.txt"), FIX, SUBMIT]).correct == 1
