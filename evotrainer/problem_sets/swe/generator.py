"""Problems of the swe domain, drawn from a seed: a repository with one bug, an issue, tests, history and the fix.

`draw_problem(rng, split, family)` is all that others need: the rows of the built-in set and the demonstrations come
from it. The same generator state gives the same problem, on any machine.
"""

import difflib
from dataclasses import dataclass
from random import Random
from typing import Any

from evotrainer.problem_sets.swe import issues
from evotrainer.problem_sets.swe.cases import Case, draw_cases
from evotrainer.problem_sets.swe.execution import load
from evotrainer.problem_sets.swe.functions import Function
from evotrainer.problem_sets.swe.repository import (
    Bug,
    Repository,
    draw_bug,
    draw_repository,
    files_of,
    test_path,
    with_line,
)
from evotrainer.problem_sets.swe.test_files import MIN_HIDDEN, Tests, write_tests

Changes = dict[str, str | None]

VISIBLE_FAILURE = 0.6
"""Chance that the visible tests show the bug, where the issue does not say that they do."""


@dataclass(frozen=True)
class Draw:
    """A problem and all that is known of it."""

    issue: str
    issue_kind: str
    bug: Bug
    repository: Repository
    files: dict[str, str]
    """At the time of the issue, visible tests included."""
    history: tuple[tuple[str, Changes], ...]
    """(message, changes) of the commits before it, oldest first."""
    future: tuple[tuple[str, Changes], ...]
    visible: Tests
    hidden: Tests
    patch: str
    difficulty: float

    def data(self) -> dict[str, Any]:
        """Return the problem record, `Problem.data`."""
        return {
            "files": self.files,
            "history": [{"message": message, "changes": changes} for message, changes in self.history],
            "future": [{"message": message, "changes": changes} for message, changes in self.future],
            "hidden_tests": self.hidden.files,
            "fail_to_pass": list(self.hidden.failing),
            "pass_to_pass": list(self.hidden.passing),
            "test_runner": "light",
            "issue_kind": self.issue_kind,
        }


def draw_problem(rng: Random, split: str, family: str) -> Draw:
    """Draw a problem of a family whose functions all belong to `split`."""
    while True:
        repository = draw_repository(rng, split)
        bug = draw_bug(rng, repository, family)
        if bug is None:
            continue
        right = files_of(repository)
        buggy = {**right, bug.path: with_line(right[bug.path], bug.line, bug.wrong)}
        cases = _draw_all_cases(rng, repository, load(_joined(right)), load(_joined(buggy)))
        if all(len(found) > MIN_HIDDEN for found in cases.values()) and sum(c.fails for c in cases[bug.function]) >= 3:
            return _assemble(rng, repository, bug, buggy, cases)


def _draw_all_cases(
    rng: Random, repository: Repository, right: dict[str, Any], buggy: dict[str, Any]
) -> dict[str, list[Case]]:
    cases = {}
    for module in repository.modules:
        for function in module.functions:
            kinds = function.sketch.kinds if isinstance(function, Function) else ("numbers",)
            cases[function.name] = draw_cases(rng, function.name, kinds, right, buggy)
    return cases


def _joined(files: dict[str, str]) -> str:
    lines = [line for path, text in files.items() if path.endswith(".py") for line in text.split("\n")]
    return "\n".join(line for line in lines if not line.startswith("from "))


def _assemble(
    rng: Random, repository: Repository, bug: Bug, buggy: dict[str, str], cases: dict[str, list[Case]]
) -> Draw:
    fitting = issues.possible_kinds(repository, cases, bug)
    kind = rng.choices(fitting, [issues.KINDS[name] for name in fitting])[0]
    shown, held = _split_cases(rng, cases, bug, is_shown=kind == "tests" or rng.random() < VISIBLE_FAILURE)
    visible, hidden = write_tests(repository, shown), write_tests(repository, held)
    issue = issues.write_issue(rng, kind, repository, cases, bug)
    fixed = with_line(buggy[bug.path], bug.line, bug.right)
    return Draw(
        issue=issue,
        issue_kind=kind,
        bug=bug,
        repository=repository,
        files={**buggy, **visible.files},
        history=_history(repository, buggy, visible),
        future=_future(rng, bug, fixed, hidden),
        visible=visible,
        hidden=hidden,
        patch=_patch(bug.path, buggy[bug.path], fixed),
        difficulty=issues.DIFFICULTIES[kind],
    )


def _split_cases(
    rng: Random, cases: dict[str, list[Case]], bug: Bug, is_shown: bool
) -> tuple[dict[str, list[Case]], dict[str, list[Case]]]:
    """Return what the visible tests check, one call a function, and what the hidden ones do, other calls."""
    shown, held = {}, {}
    for name, found in cases.items():
        fitting = [case for case in found if case.fails == is_shown] if name == bug.function else found
        fitting = fitting or found
        visible = fitting[0] if name == bug.function else rng.choice(fitting)
        rest = [case for case in found if case is not visible]
        if name == bug.function:
            rest.sort(key=lambda case: not case.fails)
            rest = [*rest[:2], *rest[-1:]]
        shown[name], held[name] = [visible], [visible, *rest[: MIN_HIDDEN - 1]]
    return shown, held


def _history(repository: Repository, buggy: dict[str, str], visible: Tests) -> tuple[tuple[str, Changes], ...]:
    commits: list[tuple[str, Changes]] = []
    for place, module in enumerate(repository.modules):
        changes: Changes = dict(repository.extra_files) if place == 0 else {}
        changes |= {module.path: buggy[module.path], test_path(module): visible.files[test_path(module)]}
        commits.append((f"Add {module.path}", changes))
    return tuple(commits)


def _future(rng: Random, bug: Bug, fixed: str, hidden: Tests) -> tuple[tuple[str, Changes], ...]:
    name = bug.path.split("/")[-1]
    fix: Changes = {bug.path: fixed, f"tests/test_{name}": hidden.files[f"tests/test_{name}"]}
    notes: Changes = {"NOTES.md": f"Next: more of {name.removesuffix('.py')}.\n"}
    commits: list[tuple[str, Changes]] = [(f"Fix {bug.function}", fix)]
    if rng.random() < 0.5:
        commits.insert(rng.choice((0, 1)), ("Add notes", notes))
    return tuple(commits)


def _patch(path: str, before: str, after: str) -> str:
    lines = difflib.unified_diff(
        before.splitlines(keepends=True), after.splitlines(keepends=True), f"a/{path}", f"b/{path}"
    )
    return f"diff --git a/{path} b/{path}\n" + "".join(lines)
