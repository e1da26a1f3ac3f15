"""Test runs remembered: by a process for itself, and in a table for the processes after it."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from evotrainer.domains.swe import runners
from evotrainer.domains.swe.checkout.disk import open_repository
from evotrainer.domains.swe.checkout.repository import Snapshot
from evotrainer.domains.swe.runners import TestResult, TestRun, remember_runs, run_tests
from tests.swe_problems import FIXED, calc_problem

TEST = "tests/test_calc.py::test_zero"


class Counting:
    """A runner that counts, and answers what it is told to."""

    def __init__(self, run: TestRun, is_pure: bool = True) -> None:
        self.answer, self.is_pure, self.num_runs = run, is_pure, 0

    def run(self, snapshot: Snapshot, node_ids: list[str], opened: frozenset[str] = frozenset()) -> TestRun:
        self.num_runs += 1
        return self.answer


PASSED = TestRun({TEST: TestResult("passed")})


@pytest.fixture
def table(tmp_path: Path) -> Iterator[Path]:
    yield tmp_path / "scratch" / "test_runs.sqlite"
    remember_runs(None)


def _use(monkeypatch: pytest.MonkeyPatch, runner: Counting) -> Counting:
    monkeypatch.setattr(runners, "find_runner", lambda name: runner)
    return runner


def _snapshot(calc: str | None = None) -> Snapshot:
    return Snapshot(open_repository(calc_problem(), True), {"calc.py": calc} if calc else {})


def test_a_run_is_met_again_by_the_next_process(monkeypatch: pytest.MonkeyPatch, table: Path) -> None:
    runner = _use(monkeypatch, Counting(TestRun({TEST: TestResult("failed", "assert add(3, 0) == 3")})))
    remember_runs(table)
    first = [run_tests("light", _snapshot(), [TEST]) for _ in range(2)]
    remember_runs(table)  # another process, which knows nothing yet
    again = run_tests("light", _snapshot(), [TEST])
    assert again == first[0] == first[1] == runner.answer
    assert runner.num_runs == 1


def test_other_files_other_tests_and_another_runner_are_run(monkeypatch: pytest.MonkeyPatch, table: Path) -> None:
    runner = _use(monkeypatch, Counting(PASSED))
    remember_runs(table)
    run_tests("light", _snapshot(), [TEST])
    for name, snapshot, ids in (
        ("light", _snapshot(FIXED), [TEST]),
        ("light", _snapshot(), [TEST, f"{TEST}_2"]),
        ("pytest", _snapshot(), [TEST]),
    ):
        before = runner.num_runs
        run_tests(name, snapshot, ids)
        assert runner.num_runs == before + 1, (name, ids)


@pytest.mark.parametrize(
    ("run", "is_pure"),
    [
        (TestRun({TEST: TestResult("timeout", "timeout")}), True),
        (TestRun({TEST: TestResult("missing")}), True),
        (TestRun({TEST: TestResult("passed")}, is_forged=True), True),
        (TestRun({TEST: TestResult("passed")}, exited_early=True), True),
        (PASSED, False),
    ],
)
def test_a_run_that_may_end_otherwise_is_not_kept_for_others(
    monkeypatch: pytest.MonkeyPatch, table: Path, run: TestRun, is_pure: bool
) -> None:
    runner = _use(monkeypatch, Counting(run, is_pure))
    remember_runs(table)
    for _ in range(2):
        assert run_tests("light", _snapshot(), [TEST]) == run
    assert runner.num_runs == 1
    remember_runs(table)  # another process, which knows nothing yet
    run_tests("light", _snapshot(), [TEST])
    assert runner.num_runs == 2


def test_the_light_runner_is_pure_and_that_of_installed_packages_is_not() -> None:
    assert runners.find_runner("light").is_pure and not runners.find_runner("pytest").is_pure
