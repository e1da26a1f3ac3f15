"""What a test runner answers, and which files are tests. The parent holds the node ids: a test that it does not hear of
has failed.

Node ids are pytest's: `tests/test_calc.py::test_add`.
"""

import fnmatch
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import PurePosixPath
from typing import Literal

TestStatus = Literal["passed", "failed", "error", "timeout", "skipped", "missing"]
"""failed    an assertion or another exception in the test
error     it could not be run: its file does not import, or it needs what this runner does not have
timeout   longer than its share of processor time
skipped   it skipped itself, or is expected to fail
missing   it never answered: it does not exist, or the run ended before"""


@dataclass(frozen=True)
class TestResult:
    """How one test ended. `detail`: one line, the assertion or the error. `sites`: of a hidden test, the assertions
    whose values it sent; `unheld`: those of them that do not hold."""

    __test__ = False  # for pytest, which collects classes by name

    status: TestStatus
    detail: str = ""
    sites: frozenset[str] = frozenset()
    unheld: frozenset[str] = frozenset()


@dataclass(frozen=True)
class TestRun:
    """How the tests that were asked for ended, by node id, in the order asked."""

    __test__ = False

    results: Mapping[str, TestResult]
    is_forged: bool = False
    """A planted test that must fail passed, or the reverse: the code under test reached for the runner."""
    exited_early: bool = False
    """The process ended with status 0 before it had answered."""
    reached: frozenset[str] = frozenset()
    """What was noted while hidden tests ran: what the code under test did (watch_inside.py), and classes of values that
    the tests met (judge_inside.py)."""

    @property
    def num_run(self) -> int:
        """Tests that answered."""
        return sum(result.status != "missing" for result in self.results.values())

    def passed(self, node_ids: Sequence[str]) -> int:
        """Return how many of these passed."""
        return sum(self.results[name].status == "passed" for name in node_ids)


def joined(first: TestRun, second: TestRun) -> TestRun:
    """Return the run of two sets of tests."""
    return TestRun(
        {**first.results, **second.results},
        is_forged=first.is_forged or second.is_forged,
        exited_early=first.exited_early or second.exited_early,
        reached=first.reached | second.reached,
    )


TEST_FOLDERS = frozenset({"tests", "test"})
TEST_FILES = ("test_*.py", "*_test.py")
MACHINERY = (
    "conftest.py",
    "pytest.ini",
    ".pytest.ini",
    "pytest.toml",
    ".pytest.toml",
    "tox.ini",
    "setup.cfg",
    "pyproject.toml",
    "noxfile.py",
    "sitecustomize.py",
    "usercustomize.py",
    "*.pth",
    ".coveragerc",
)
"""Read by pytest, or by the interpreter at its start."""
HELPERS = frozenset({"testing", "_testing", "test_utils", "testutils", "test_helpers"})
"""Folders and modules in which repositories keep what their tests assert with."""
CI_PLACES = (".github/*", ".gitlab-ci.yml", ".travis.yml", ".circleci/*", "azure-pipelines.yml", "Jenkinsfile")


def is_test_file(path: str) -> bool:
    """Return whether a test runner collects this file."""
    return any(fnmatch.fnmatch(PurePosixPath(path).name, pattern) for pattern in TEST_FILES)


def is_helper(path: str) -> bool:
    """Return whether a file holds what tests assert with, by the name of its module or of a folder above."""
    pure = PurePosixPath(path)
    return pure.suffix == ".py" and not HELPERS.isdisjoint((*pure.parts[:-1], pure.stem))


def is_protected(path: str) -> bool:
    """Return whether a file is a test, supports one, or configures how tests run."""
    pure = PurePosixPath(path)
    return (
        is_test_file(path)
        or not TEST_FOLDERS.isdisjoint(pure.parts[:-1])
        or any(fnmatch.fnmatch(pure.name, pattern) for pattern in MACHINERY)
        or any(fnmatch.fnmatch(path, pattern) for pattern in CI_PLACES)
    )
