"""The swe environment: what each tool answers, what is refused, and what the policy is shown."""

import pytest

from evotrainer.config import DomainConfig
from evotrainer.domains import create_environment
from evotrainer.records import Message
from tests.swe_problems import FIX, calc_problem, play

CLEAN = "On branch main\nnothing to commit, working tree clean"


def answers(*calls, **data) -> list[Message]:
    return [message for message in play(calc_problem(**data), calls) if message.role == "tool"]


def test_an_episode_opens_with_the_issue_and_the_configured_system_message():
    environment = create_environment(DomainConfig(name="swe", system_prompt="fix it"))
    opening = environment.reset(calc_problem(), 0)
    assert [(m.role, m.content) for m in opening] == [("system", "fix it"), ("user", "add gives wrong sums")]


@pytest.mark.parametrize(
    ("name", "arguments", "text"),
    [
        ("list_files", {}, "README.md\ncalc.py\ntests/test_calc.py\ntexts.py"),
        ("list_files", {"path": "tests/"}, "tests/test_calc.py"),
        ("read_file", {"path": "texts.py"}, "1: def shout(text):\n2:     return text.upper() + '!'"),
        ("read_file", {"path": "./calc.py", "start": "4", "end": 4}, "4: def add(a, b):"),
        (
            "search",
            {"query": "add("},
            "calc.py:4: def add(a, b):\ncalc.py:12: total = add(total, value)\n"
            "tests/test_calc.py:6: assert add(3, 0) == 3",
        ),
        ("search", {"query": "def", "path": "texts.py"}, "texts.py:1: def shout(text):"),
        ("search", {"query": "nowhere"}, "no match"),
        ("edit", {"path": "calc.py", "old": "a - b", "new": "a + b"}, "edited calc.py"),
        ("replace_line", {"path": "calc.py", "line": 6, "text": "    return a + b"}, "edited calc.py"),
        ("write_file", {"path": "pkg/new.py", "text": "x = 1\n"}, "wrote pkg/new.py"),
        ("run_tests", {}, "2 passed"),
        ("run_tests", {"path": "tests/test_calc.py::test_zero"}, "1 passed"),
        ("submit", {}, "submitted"),
    ],
)
def test_a_tool_answers(name, arguments, text):
    (answer,) = answers((name, arguments))
    assert (answer.content, answer.ok, answer.tool_name) == (text, True, name)


@pytest.mark.parametrize(
    ("name", "arguments", "text"),
    [
        ("open", {}, "no tool open: use list_files"),
        ("read_file", {}, "use read_file(path, start, end)"),
        ("read_file", {"path": 3}, "path must be text"),
        ("read_file", {"path": "calc.py", "start": "first"}, "start must be a number"),
        ("read_file", {"path": "gone.py"}, "no file gone.py"),
        ("read_file", {"path": "calc.py", "start": 99}, "lines are 1 to 13"),
        ("read_file", {"path": "/etc/passwd"}, "path is outside the repository"),
        ("read_file", {"path": "tests/../../x"}, "path is outside the repository"),
        ("read_file", {"path": ".git/packed-refs"}, ".git cannot be opened, use the git tool"),
        ("write_file", {"path": "~/x", "text": ""}, "path is outside the repository"),
        ("write_file", {"path": ".GIT/hooks/post-checkout", "text": ""}, ".git cannot be opened"),
        ("write_file", {"path": "calc.py/x.py", "text": ""}, "calc.py/x.py lies in a file"),
        ("write_file", {"path": "tests", "text": ""}, "tests is a folder"),
        ("write_file", {"path": "x\0y", "text": ""}, "bad path"),
        ("edit", {"path": "calc.py", "old": "return", "new": "x"}, "old is in calc.py 2 times, it must be once"),
        ("edit", {"path": "calc.py", "old": "", "new": "x"}, "old is empty"),
        ("run_tests", {"path": "texts.py"}, "no tests"),
        ("search", {"query": " "}, "query is empty"),
        ("git", {"arguments": "push origin main"}, "git: 'push' is not there: use"),
    ],
)
def test_a_call_that_cannot_be_done_answers_in_one_line(name, arguments, text):
    (answer,) = answers((name, arguments))
    assert answer.content.startswith(text) and "\n" not in answer.content and answer.ok is False


def test_failing_tests_are_named_with_their_assertion():
    tests = "from calc import add\n\n\ndef test_sum():\n    assert add(2, 3) == 5\n\n\ndef test_odd():\n    add(1)\n"
    (answer,) = answers(
        ("run_tests", {}), files=calc_problem().data["files"] | {"tests/test_calc.py": tests}, history=[]
    )
    assert answer.content == (
        "FAILED tests/test_calc.py::test_sum: assert add(2, 3) == 5\n"
        "FAILED tests/test_calc.py::test_odd: TypeError: add() missing 1 required positional argument: 'b'\n2 failed"
    )


def test_a_message_without_a_call_is_reminded():
    environment = create_environment(DomainConfig(name="swe"))
    environment.reset(calc_problem(), 0)
    answers, is_done = environment.step(Message(role="assistant", content="let me think"))
    assert ([(m.role, m.content) for m in answers], is_done) == ([("user", "call a tool")], False)


def test_answers_hold_printable_ascii_and_are_cut():
    text = "caf\u00e9 = 1\t# <|end|>\n" + "x = 2\n" * 100
    domain = DomainConfig(name="swe", max_observation_chars=60)
    messages = play(
        calc_problem(), [("write_file", {"path": "t.py", "text": text}), ("read_file", {"path": "t.py"})], domain
    )
    shown = messages[-1].content
    assert shown.startswith("1: caf\\xe9 = 1\\t# < |end|>\n2: x = 2\n")
    assert shown.splitlines()[-1].startswith("... ") and shown.splitlines()[-1].endswith(" more characters")


def test_episodes_of_one_problem_do_not_see_each_other():
    problem = calc_problem()
    play(problem, [FIX, ("git", {"arguments": "checkout HEAD~3"})])
    messages = play(problem, [("git", {"arguments": "status"}), ("search", {"query": "a + b"})])
    assert [m.content for m in messages if m.role == "tool"] == [CLEAN, "no match"]
