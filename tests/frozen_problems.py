"""Problems that are files: those of the built-in sets, and a large repository; and scripted episodes over bugs.

The large repository has over 60 files in packages, fixtures and parametrised tests, under pytest.
"""

import lzma
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import cast

from evotrainer.domains import find_domain
from evotrainer.domains.problem_sets.loading import problem_of
from evotrainer.records import Problem, Split, ToolCall

LARGE = Path(__file__).with_name("large_repository.json.xz")


def built_in(domain: str, *splits: str) -> Iterator[Problem]:
    """Yield the built-in problems of these splits in the order of their files."""
    parse = find_domain(domain).parse_row
    for number, (split, values) in enumerate(find_domain(domain).problem_rows()):
        if split in splits:
            yield problem_of(parse(values, f"{split}:{number}"), domain, cast(Split, split))


def by_family(domain: str, split: str) -> dict[str, Problem]:
    """Return the first built-in problem of each family of a split."""
    found: dict[str, Problem] = {}
    for problem in built_in(domain, split):
        found.setdefault(problem.family, problem)
    return found


def large_problem() -> Problem:
    return Problem.model_validate_json(lzma.decompress(LARGE.read_bytes()))


@dataclass(frozen=True)
class Bug:
    """Line `line` (from 1) of `path`, as it is and as it should be."""

    path: str
    line: int
    wrong: str
    right: str


def bug_of(problem: Problem) -> Bug:
    """Return the one line that the gold patch replaces."""
    lines = problem.answer.split("\n")
    removed = [number for number, line in enumerate(lines) if line.startswith("-") and not line.startswith("---")]
    added = [line[1:] for line in lines if line.startswith("+") and not line.startswith("+++")]
    (place,), (right,) = removed, added
    start = next(number for number, line in enumerate(lines) if line.startswith("@@"))
    first = int(cast(re.Match[str], re.match(r"@@ -(\d+)", lines[start]))[1])
    path = next(line[6:] for line in lines if line.startswith("+++ b/"))
    bug = Bug(path, first + place - start - 1, lines[place][1:], right)
    assert problem.data["files"][path].split("\n")[bug.line - 1] == bug.wrong
    return bug


@dataclass(frozen=True)
class Script:
    """Tool calls in order, and whether they solve the problem: repaired and submitted."""

    name: str
    calls: tuple[ToolCall, ...]
    solves: bool


def scripts(problem: Problem) -> list[Script]:
    """Return the episodes that end as a policy's may: with the fix, with a wrong or weakened one, with none."""
    bug = bug_of(problem)
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
