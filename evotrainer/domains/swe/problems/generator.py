"""Problems of the swe domain, drawn from a seed: a repository with one bug, an issue, tests, history and the fix.

`draw_problem(rng, split, family)` is all that others need: the rows of the built-in set and the demonstrations come
from it. The same generator state gives the same problem, on any machine.
"""

import difflib
from dataclasses import dataclass
from random import Random
from typing import Any

from evotrainer.domains.swe.problems.cases import NUM_TRIES, Case, draw_cases
from evotrainer.domains.swe.problems.execution import Scope, load
from evotrainer.domains.swe.problems.functions import Function
from evotrainer.domains.swe.problems.issues import DIFFICULTIES, KINDS, possible_kinds, write_issue
from evotrainer.domains.swe.problems.repository import Bug, Repository, draw_bug, draw_repository, suite_path
from evotrainer.domains.swe.problems.suites import MIN_TARGET_CASES, Cases, Suite, split_cases, write_suite

Commit = tuple[str, dict[str, str | None]]
"""Message and changes: path -> text, or None for a file that goes."""

VISIBLE_FAILURE = 0.6
"""Chance that the visible tests show the bug, where the issue does not say that they do."""
MIN_FAILING = 3
"""Of the calls that were tried of the buggy function."""
NUM_CALLER_CASES = 12


@dataclass(frozen=True)
class Draw:
    """A problem and all that is known of it."""

    issue: str
    issue_kind: str
    bug: Bug
    repository: Repository
    """As it should be."""
    files: dict[str, str]
    """At the time of the issue, visible tests included."""
    history: tuple[Commit, ...]
    """Before it, oldest first."""
    future: tuple[Commit, ...]
    """What upstream did next, the fix among it."""
    visible: Suite
    hidden: Suite
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
        right, buggy = load(_joined(repository.files())), load(_joined(repository.files(bug)))
        cases = _draw_cases(rng, repository, bug, right, buggy)
        if min(map(len, cases.values())) >= MIN_TARGET_CASES and _is_telling(cases[bug.function]):
            return _assemble(rng, repository, bug, cases)


def _is_telling(cases: list[Case]) -> bool:
    """Whether the bug shows in several of the calls, and their values differ."""
    return sum(case.fails for case in cases) >= MIN_FAILING and len({case.right for case in cases}) > 1


def _draw_cases(rng: Random, repository: Repository, bug: Bug, right: Scope, buggy: Scope) -> Cases:
    """Many of the buggy function, some of a caller, which may show the bug, few of the others."""
    cases = {}
    for module in repository.modules:
        for function in module.functions:
            few = MIN_TARGET_CASES if isinstance(function, Function) else NUM_CALLER_CASES
            wanted = NUM_TRIES if function.name == bug.function else few
            cases[function.name] = draw_cases(rng, function.name, function.kinds, right, buggy, wanted)
    return cases


def _joined(files: dict[str, str]) -> str:
    """All source in one text: names of functions are different, so no import is needed."""
    lines = [line for path, text in files.items() if path.endswith(".py") for line in text.split("\n")]
    return "\n".join(line for line in lines if not line.startswith("from "))


def _assemble(rng: Random, repository: Repository, bug: Bug, cases: Cases) -> Draw:
    fitting = possible_kinds(repository, cases)
    kind = rng.choices(fitting, [KINDS[name] for name in fitting])[0]
    shows_bug = kind == "tests" or rng.random() < VISIBLE_FAILURE
    shown, held = split_cases(rng, cases, bug.function, _mutants(repository, bug), shows_bug=shows_bug)
    visible, hidden = write_suite(repository, shown), write_suite(repository, held)
    buggy, fixed = repository.files(bug), repository.files()
    return Draw(
        issue=write_issue(rng, kind, repository, cases, bug),
        issue_kind=kind,
        bug=bug,
        repository=repository,
        files={**buggy, **visible.files},
        history=_history(repository, buggy, visible),
        future=_future(rng, repository, bug, hidden),
        visible=visible,
        hidden=hidden,
        patch=unified_diff(bug.path, buggy[bug.path], fixed[bug.path]),
        difficulty=DIFFICULTIES[kind],
    )


def _mutants(repository: Repository, bug: Bug) -> list[Scope]:
    """Return the function with the bug, then with each other text that its line could wrongly have."""
    function = repository.function(bug.function)
    assert isinstance(function, Function)
    others = [wrong for _, place, wrong in function.bugs() if place == bug.place and wrong != bug.wrong]
    return [load("\n".join(function.with_line(bug.place, wrong))) for wrong in (bug.wrong, *others)]


def _history(repository: Repository, buggy: dict[str, str], visible: Suite) -> tuple[Commit, ...]:
    """A commit a module, with its tests: the bug is as old as its module."""
    commits: list[Commit] = []
    for module in repository.modules:
        test = suite_path(module)
        commits.append((f"Add {module.path}", {module.path: buggy[module.path], test: visible.files[test]}))
    commits[0][1].update(repository.extra_files)
    return tuple(commits)


def _future(rng: Random, repository: Repository, bug: Bug, hidden: Suite) -> tuple[Commit, ...]:
    module = next(module for module in repository.modules if module.path == bug.path)
    test = suite_path(module)
    commits: list[Commit] = [
        (f"Fix {bug.function}", {bug.path: repository.files()[bug.path], test: hidden.files[test]})
    ]
    if rng.random() < 0.5:
        commits.insert(rng.choice((0, 1)), ("Add notes", {"NOTES.md": f"Next: more of {module.name}.\n"}))
    return tuple(commits)


def unified_diff(path: str, before: str, after: str) -> str:
    """Return a patch as git writes it."""
    lines = difflib.unified_diff(
        before.splitlines(keepends=True), after.splitlines(keepends=True), f"a/{path}", f"b/{path}"
    )
    return f"diff --git a/{path} b/{path}\n" + "".join(lines)
