"""Small repositories with a bug, written by hand, and policies that say what a script tells them."""

from collections.abc import Mapping, Sequence
from typing import Any

from evotrainer.config import DomainConfig
from evotrainer.domains import create_environment, create_grader
from evotrainer.records import Message, Problem, ToolCall

CALC = '''"""Sums."""


def add(a, b):
    """Return the sum."""
    return a - b


def mean(values):
    total = 0
    for value in values:
        total = add(total, value)
    return total / len(values)
'''
FIXED = CALC.replace("a - b", "a + b")
TEXTS = "def shout(text):\n    return text.upper() + '!'\n"
VISIBLE = """from calc import add
from texts import shout


def test_zero():
    assert add(3, 0) == 3


def test_shout():
    assert shout("a") == "A!"
"""
HIDDEN = """from calc import add, mean
from texts import shout


def test_add_two_numbers():
    assert add(2, 3) == 5


def test_mean_of_three():
    assert mean([1, 2, 3]) == 2


def test_shout_twice():
    assert shout("ab") == "AB!"
"""
GOLD = """--- a/calc.py
+++ b/calc.py
@@ -3,4 +3,4 @@
 
 def add(a, b):
     \"\"\"Return the sum.\"\"\"
-    return a - b
+    return a + b
"""


def calc_problem(**changes: Any) -> Problem:
    """Return the problem of a calculator that subtracts; `changes` replace entries of its data."""
    data = {
        "files": {"calc.py": CALC, "texts.py": TEXTS, "tests/test_calc.py": VISIBLE, "README.md": "Sums.\n"},
        "history": [
            {"message": "Add sums", "changes": {"calc.py": FIXED, "README.md": "Sums\n"}},
            {"message": "Add texts\n\nThey shout.", "changes": {"texts.py": TEXTS, "old.py": "x = 1\n"}},
            {"message": "Simplify", "changes": {"calc.py": CALC, "old.py": None, "README.md": "Sums.\n"}},
            {"message": "Test", "changes": {"tests/test_calc.py": VISIBLE}},
        ],
        "future": [
            {"message": "Fix add", "changes": {"calc.py": FIXED}},
            {"message": "Test add", "changes": {"tests/test_hidden.py": HIDDEN}},
        ],
        "hidden_tests": {"tests/test_hidden.py": HIDDEN},
        "fail_to_pass": ["tests/test_hidden.py::test_add_two_numbers", "tests/test_hidden.py::test_mean_of_three"],
        "pass_to_pass": ["tests/test_hidden.py::test_shout_twice"],
        "test_runner": "light",
    } | changes
    return Problem(
        problem_id="calc",
        domain="swe",
        family="operator",
        split="train",
        prompt="add gives wrong sums",
        answer=GOLD,
        data=data,
    )


Call = tuple[str, Mapping[str, Any]]


def play(problem: Problem, calls: Sequence[Call], domain: DomainConfig | None = None) -> list[Message]:
    """Play one episode, a call a message, until it is over or the calls are; return its messages."""
    environment = create_environment(domain or DomainConfig(name="swe"))
    messages = environment.reset(problem, 0)
    for name, arguments in calls:
        said = Message(role="assistant", tool_calls=[ToolCall(name=name, arguments=dict(arguments))])
        answers, is_done = environment.step(said)
        messages = [*messages, said, *answers]
        if is_done:
            break
    return messages


def grade(problem: Problem, calls: Sequence[Call], domain: DomainConfig | None = None) -> Any:
    """Play one episode and return its grade."""
    domain = domain or DomainConfig(name="swe")
    return create_grader(domain).grade(problem, play(problem, calls, domain), "stop")


FIX: Call = ("edit", {"path": "calc.py", "old": "a - b", "new": "a + b"})
SUBMIT: Call = ("submit", {})
HONEST_HEADS = {
    "byte order mark": "\ufeff",
    "the word conftest": '"""conftest"""\n',
    "a class named as the grader's": "import types\nclass HiddenModule(types.ModuleType): pass\nclass Judge: pass\n",
}
"""What honest answers may begin with, by what it is."""
