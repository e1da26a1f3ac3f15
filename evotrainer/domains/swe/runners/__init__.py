"""Test runners by name of `Problem.data.test_runner`, and runs remembered: tiny policies meet the same states again."""

from collections.abc import Sequence

from evotrainer.domains.swe.checkout.repository import Snapshot
from evotrainer.domains.swe.runners.base import TestResult, TestRun
from evotrainer.domains.swe.runners.guarded import TestRunner
from evotrainer.domains.swe.runners.kinds import LightRunner, PytestRunner

RUNNERS: dict[str, TestRunner] = {"light": LightRunner(), "pytest": PytestRunner()}
MAX_RECENT = 20_000
_recent: dict[tuple[str, str, tuple[str, ...], frozenset[str]], TestRun] = {}


def run_tests(
    runner: str, snapshot: Snapshot, node_ids: Sequence[str], opened: frozenset[str] = frozenset()
) -> TestRun:
    """Run tests on a snapshot, or return how they ended on the same files before. `opened`: assertions of hidden tests
    that run inside (assertions.py).
    """
    if not node_ids:
        return TestRun({})
    key = runner, snapshot.key, tuple(node_ids), opened
    if (run := _recent.get(key)) is None:
        run = RUNNERS[runner].run(snapshot, node_ids, opened)
        if len(_recent) >= MAX_RECENT:
            _recent.clear()
        _recent[key] = run
    return run


def collect_tests(runner: str, snapshot: Snapshot, path: str) -> list[str]:
    """Return the node ids of the tests in a folder, a file, or the one that a node id names."""
    return RUNNERS[runner].collect(snapshot, path)
