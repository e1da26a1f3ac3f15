"""Tests as files: plain functions, which pytest and a light runner both run."""

from collections.abc import Iterable
from dataclasses import dataclass

from evotrainer.problem_sets.swe.cases import Case
from evotrainer.problem_sets.swe.repository import Module, Repository, test_path
from evotrainer.problem_sets.swe.sketch import INDENT

MIN_HIDDEN = 3


@dataclass(frozen=True)
class Tests:
    """Test files, and the node ids of those tests that the buggy repository fails and passes."""

    files: dict[str, str]
    failing: tuple[str, ...]
    passing: tuple[str, ...]


def write_tests(repository: Repository, cases: dict[str, list[Case]]) -> Tests:
    """Return one test file a module, with one test a case: test_NAME, test_NAME_2, ..."""
    files, failing, passing = {}, [], []
    for module in repository.modules:
        path = test_path(module)
        lines = [f"from {module.dotted} import {', '.join(f.name for f in module.functions)}"]
        for test, case in _named(module, cases):
            lines += ["", "", f"def {test}():", f"{INDENT}assert {case.call} == {case.right}"]
            (failing if case.fails else passing).append(f"{path}::{test}")
        files[path] = "\n".join(lines) + "\n"
    return Tests(files, tuple(failing), tuple(passing))


def _named(module: Module, cases: dict[str, list[Case]]) -> Iterable[tuple[str, Case]]:
    for function in module.functions:
        for count, case in enumerate(cases[function.name], start=1):
            yield f"test_{function.name}" + (f"_{count}" if count > 1 else ""), case
