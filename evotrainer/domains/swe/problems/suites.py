"""Tests as files: plain functions, which pytest and a light runner both run; which calls they show and which they hold.

Hidden tests stand in the same files as the visible ones and replace them, as the tests of a fixing commit do.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from random import Random

from evotrainer.domains.swe.problems.cases import Case, telling_cases
from evotrainer.domains.swe.problems.execution import Scope
from evotrainer.domains.swe.problems.repository import Module, Repository, suite_path
from evotrainer.domains.swe.problems.sketch import INDENT

Cases = dict[str, list[Case]]
"""By function."""

MIN_TARGET_CASES = 3
MIN_CASES = 2


@dataclass(frozen=True)
class Suite:
    """Test files, and the node ids of those tests that the buggy repository fails and passes."""

    files: dict[str, str]
    failing: tuple[str, ...]
    passing: tuple[str, ...]


def split_cases(
    rng: Random, cases: Cases, target: str, mutants: list[Scope], *, shows_bug: bool
) -> tuple[Cases, Cases]:
    """Return the visible cases, one a function, and the hidden ones: those and others that no wrong fix passes.

    Whether the visible case of the buggy function fails is `shows_bug`, where both kinds of case exist.
    """
    shown = {name: [rng.choice(found)] for name, found in cases.items()}
    shown[target] = [next((case for case in cases[target] if case.fails == shows_bug), cases[target][0])]
    held = {name: _filled(shown[name], found, MIN_CASES) for name, found in cases.items() if name != target}
    held[target] = _filled([*shown[target], *telling_cases(cases[target], mutants)], cases[target], MIN_TARGET_CASES)
    return shown, held


def _filled(chosen: list[Case], found: list[Case], count: int) -> list[Case]:
    """Return the chosen cases, each once, others up to `count`, and one of another value: no constant passes all."""
    by_call = {case.call: case for case in chosen}
    values = {case.right for case in chosen}
    other = next((case for case in found if case.right not in values), None)
    if other and len(values) == 1:
        by_call[other.call] = other
    for case in found:
        if len(by_call) < count:
            by_call.setdefault(case.call, case)
    return list(by_call.values())


def write_suite(repository: Repository, cases: Cases) -> Suite:
    """Return one test file a module, with one test a case: test_NAME, test_NAME_2, ..."""
    files, failing, passing = {}, [], []
    for module in repository.modules:
        path = suite_path(module)
        lines = [f"from {module.dotted} import {', '.join(f.name for f in module.functions)}"]
        for test, case in _named(module, cases):
            lines += ["", "", f"def {test}():", f"{INDENT}assert {case.call} == {case.right}"]
            (failing if case.fails else passing).append(f"{path}::{test}")
        files[path] = "\n".join(lines) + "\n"
    return Suite(files, tuple(failing), tuple(passing))


def _named(module: Module, cases: Cases) -> Iterator[tuple[str, Case]]:
    for function in module.functions:
        for count, case in enumerate(cases[function.name], start=1):
            yield f"test_{function.name}" + (f"_{count}" if count > 1 else ""), case
