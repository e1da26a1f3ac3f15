"""Test runners by name of `Problem.data.test_runner`, and runs remembered: tiny policies meet the same states again."""

import importlib
from collections import OrderedDict
from collections.abc import Sequence
from functools import cache

from evotrainer.errors import DataError
from evotrainer.repositories.runners.base import TestResult, TestRun, TestRunner
from evotrainer.repositories.snapshot import Snapshot

__all__ = ["RUNNERS", "TestResult", "TestRun", "TestRunner", "collect_tests", "create_runner", "run_tests"]

RUNNERS = {
    "light": "evotrainer.repositories.runners.light:LightRunner",
    "pytest": "evotrainer.repositories.runners.pytest:PytestRunner",
}
MAX_REMEMBERED = 20_000


@cache
def create_runner(name: str) -> TestRunner:
    """Return the runner of this name; raises DataError that lists the choices."""
    if name not in RUNNERS:
        raise DataError(f"test_runner '{name}' is unknown: choose one of {', '.join(RUNNERS)}")
    module, class_name = RUNNERS[name].split(":")
    return getattr(importlib.import_module(module), class_name)()


_remembered: OrderedDict[tuple[str, str, tuple[str, ...]], TestRun] = OrderedDict()


def run_tests(runner: str, snapshot: Snapshot, node_ids: Sequence[str]) -> TestRun:
    """Run tests on a snapshot, or return how they ended on the same files before in this process."""
    if not node_ids:
        return TestRun({})
    key = (runner, snapshot.key, tuple(node_ids))
    if key not in _remembered:
        _remembered[key] = create_runner(runner).run(snapshot, node_ids)
        if len(_remembered) > MAX_REMEMBERED:
            _remembered.popitem(last=False)
    return _remembered[key]


def collect_tests(runner: str, snapshot: Snapshot, path: str) -> list[str]:
    """Return the node ids of the tests in a folder, a file, or the one that a node id names."""
    return create_runner(runner).collect(snapshot, path)
