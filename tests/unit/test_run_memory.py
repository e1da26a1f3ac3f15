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


def _another_process(table: Path) -> None:
    """Forget what this process knows, as one that starts."""
    remember_runs(table)


def test_a_run_is_met_again_by_the_next_process(monkeypatch: pytest.MonkeyPatch, table: Path) -> None:
    runner = _use(monkeypatch, Counting(TestRun({TEST: TestResult("failed", "assert add(3, 0) == 3")})))
    remember_runs(table)
    first = [run_tests("light", _snapshot(), [TEST]) for _ in range(2)]
    _another_process(table)
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
    "run",
    [
        TestRun({TEST: TestResult("timeout", "timeout")}),
        TestRun({TEST: TestResult("missing")}),
        TestRun({TEST: TestResult("passed")}, is_forged=True),
        TestRun({TEST: TestResult("passed")}, exited_early=True),
    ],
)
def test_a_run_that_may_end_otherwise_is_not_kept_for_others(
    monkeypatch: pytest.MonkeyPatch, table: Path, run: TestRun
) -> None:
    runner = _use(monkeypatch, Counting(run))
    remember_runs(table)
    for _ in range(2):
        assert run_tests("light", _snapshot(), [TEST]) == run
    assert runner.num_runs == 1
    _another_process(table)
    run_tests("light", _snapshot(), [TEST])
    assert runner.num_runs == 2


def test_a_runner_that_depends_on_the_machine_is_asked_again(monkeypatch: pytest.MonkeyPatch, table: Path) -> None:
    runner = _use(monkeypatch, Counting(PASSED, is_pure=False))
    remember_runs(table)
    run_tests("pytest", _snapshot(), [TEST])
    _another_process(table)
    run_tests("pytest", _snapshot(), [TEST])
    assert runner.num_runs == 2


def test_without_a_table_only_this_process_remembers(monkeypatch: pytest.MonkeyPatch, table: Path) -> None:
    runner = _use(monkeypatch, Counting(PASSED))
    remember_runs(None)
    for _ in range(2):
        run_tests("light", _snapshot(), [TEST])
    assert runner.num_runs == 1 and not table.exists()


def test_the_light_runner_is_pure_and_that_of_installed_packages_is_not() -> None:
    assert runners.find_runner("light").is_pure and not runners.find_runner("pytest").is_pure
