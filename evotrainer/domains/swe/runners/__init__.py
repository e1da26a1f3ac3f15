"""Test runners by name of `Problem.data.test_runner`, and runs remembered: tiny policies meet the same states again."""

import importlib
from collections.abc import Sequence
from functools import cache
from pathlib import Path

from evotrainer.domains.swe.checkout.snapshot import Snapshot
from evotrainer.domains.swe.runners.base import TestResult, TestRun, TestRunner
from evotrainer.domains.swe.runners.memory import RunMemory, run_key
from evotrainer.errors import DataError

__all__ = [
    "RUNNERS",
    "TestResult",
    "TestRun",
    "TestRunner",
    "collect_tests",
    "create_runner",
    "remember_runs",
    "run_tests",
]

RUNNERS = {
    "light": "evotrainer.domains.swe.runners.light:LightRunner",
    "pytest": "evotrainer.domains.swe.runners.pytest:PytestRunner",
}


@cache
def create_runner(name: str) -> TestRunner:
    """Return the runner of this name; raises DataError that lists the choices."""
    if name not in RUNNERS:
        raise DataError(f"test_runner '{name}' is unknown: choose one of {', '.join(RUNNERS)}")
    module, class_name = RUNNERS[name].split(":")
    return getattr(importlib.import_module(module), class_name)()


_memory = RunMemory()


def remember_runs(path: Path | None) -> None:
    """Let this process share its test runs with others through a table at `path`; None: with none."""
    _memory.share(path)


def run_tests(
    runner: str, snapshot: Snapshot, node_ids: Sequence[str], opened: frozenset[str] = frozenset()
) -> TestRun:
    """Run tests on a snapshot, or return how they ended on the same files before. `opened`: assertions of hidden tests
    that run inside (assertions.py).
    """
    if not node_ids:
        return TestRun({})
    key = run_key(runner, snapshot.key, node_ids, opened)
    run = _memory.find(key)
    if run is None:
        chosen = create_runner(runner)
        run = chosen.run(snapshot, node_ids, opened)
        _memory.keep(key, run, is_shared=chosen.is_pure)
    return run


def collect_tests(runner: str, snapshot: Snapshot, path: str) -> list[str]:
    """Return the node ids of the tests in a folder, a file, or the one that a node id names."""
    return create_runner(runner).collect(snapshot, path)
