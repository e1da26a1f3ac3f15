"""Scripted episodes, gold and wrong, as the tool calls a policy would make: they drive the environment in tests.

The gold script finds the line, repairs it, runs the tests and submits. Each wrong one ends as a policy may: with
another wrong line, with a weakened test, with an edit elsewhere, without any edit, or without submitting.
"""

from dataclasses import dataclass

from evotrainer.domains.swe.problems.repository import Bug
from evotrainer.records import Problem, ToolCall


@dataclass(frozen=True)
class Script:
    """Tool calls in order, and whether they solve the problem: repaired and submitted."""

    name: str
    calls: tuple[ToolCall, ...]
    solves: bool


def scripts(problem: Problem, bug: Bug) -> list[Script]:
    """Return the scripts of a problem whose bug is known."""
    look = (_call("list_files"), _call("search", query=bug.wrong.strip()), _call("read_file", path=bug.path))
    test, submit = _call("run_tests"), _call("submit")
    repair = _call("replace_line", path=bug.path, line=bug.line, text=bug.right)
    edit = _call("edit", path=bug.path, old=bug.wrong, new=bug.right)
    worse = _call("replace_line", path=bug.path, line=bug.line, text=_worse(bug))
    visible = sorted(path for path in problem.data["hidden_tests"] if path in problem.data["files"])
    weaken = [_call("write_file", path=path, text="def test_nothing():\n    pass\n") for path in visible]
    note = _call("write_file", path="NOTES.md", text="Looked at it.\n")
    return [
        Script("gold", (*look, repair, test, submit), True),
        Script("gold without submit", (*look, repair, test), False),
        Script("gold after a wrong line", (*look, worse, test, repair, test, submit), True),
        Script("gold by edit", (*look, *([edit] if _stands_once(problem, bug) else [repair]), submit), True),
        Script("wrong line", (*look, worse, test, submit), False),
        Script("tests weakened", (*look, *weaken, test, submit), False),
        Script("edit elsewhere", (*look, note, submit), False),
        Script("no edit", (*look, test, submit), False),
    ]


def _call(name: str, **arguments: object) -> ToolCall:
    return ToolCall(name=name, arguments=dict(arguments))


def _worse(bug: Bug) -> str:
    """A line of the same depth that does nothing."""
    indent = bug.wrong[: len(bug.wrong) - len(bug.wrong.lstrip())]
    return f"{indent}{'if False:' if bug.wrong.rstrip().endswith(':') else 'pass'}"


def _stands_once(problem: Problem, bug: Bug) -> bool:
    return problem.data["files"][bug.path].count(bug.wrong) == 1
