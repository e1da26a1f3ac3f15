"""Test runners by name of `Problem.data.test_runner`, and runs remembered: tiny policies meet the same states again.

Runs are remembered in a process, and in a table for the stages of a campaign. A pure runner's run follows from the
files, the tests asked for and the code that runs them: the three make the key. Only runs in which each test answered
are kept for others: what timed out, died or forged may end otherwise next time.
"""

import hashlib
import json
import sqlite3
import sys
import threading
from collections.abc import Sequence
from functools import cache, cached_property
from pathlib import Path

import evotrainer.sandbox
from evotrainer.domains.swe.checkout.repository import Snapshot
from evotrainer.domains.swe.runners.base import TestResult, TestRun
from evotrainer.domains.swe.runners.guarded import TestRunner
from evotrainer.domains.swe.runners.kinds import LightRunner, PytestRunner
from evotrainer.errors import DataError

SETTLED = frozenset({"passed", "failed", "error", "skipped"})
"""How a test ends that would end so again."""
BUSY_SECONDS = 10.0
MAX_RECENT = 20_000


class RunMemory:
    """Finished runs: the last ones of this process, and all in a table at `path`. For several threads."""

    def __init__(self, path: Path | None = None) -> None:
        """`path` None: no table. One that is not there is made when the first test is run."""
        self._lock, self._recent, self._path = threading.Lock(), dict[str, TestRun](), path

    def find(self, key: str) -> TestRun | None:
        """Return the run kept under this key; raises sqlite3.DatabaseError where the file is no such table."""
        with self._lock:
            if key not in self._recent and self._path:
                row = self._table.execute("select run from finished where key = ?", (key,)).fetchone()
                if row:
                    results, reached = json.loads(row[0])
                    kept = {name: TestResult(*ends, *map(frozenset, sites)) for name, ends, sites in results}
                    self._recent[key] = TestRun(kept, reached=frozenset(reached))
            return self._recent.get(key)

    def keep(self, key: str, run: TestRun, is_shared: bool) -> None:
        """Keep a run in this process; `is_shared`: for others too, if it would end so again."""
        results = run.results.items()
        is_settled = all(one.status in SETTLED for _, one in results) and not run.is_forged and not run.exited_early
        with self._lock:
            if len(self._recent) >= MAX_RECENT:
                self._recent.clear()
            self._recent[key] = run
            if is_shared and self._path and is_settled:
                ends = [(name, (r.status, r.detail), (sorted(r.sites), sorted(r.unheld))) for name, r in results]
                row = key, json.dumps([ends, sorted(run.reached)])
                self._table.execute("insert or ignore into finished values (?, ?)", row)

    @cached_property
    def _table(self) -> sqlite3.Connection:
        assert self._path is not None
        self._path.parent.mkdir(parents=True, exist_ok=True)
        table = sqlite3.connect(self._path, BUSY_SECONDS, isolation_level=None, check_same_thread=False)
        table.execute("pragma journal_mode=wal")
        table.execute("pragma synchronous=off")
        table.execute("create table if not exists finished (key text primary key, run text) without rowid")
        return table


def run_key(runner: str, snapshot_key: str, node_ids: Sequence[str], opened: frozenset[str]) -> str:
    """Return a hash of what a run follows from."""
    parts = [_code_hash(), runner, snapshot_key, list(node_ids), sorted(opened)]
    return hashlib.sha256(json.dumps(parts).encode()).hexdigest()


@cache
def _code_hash() -> str:
    """Return a hash of the interpreter and of the code that runs tests."""
    digest = hashlib.sha256(sys.version.encode())
    for folder in (Path(__file__).parent, Path(evotrainer.sandbox.__file__).parent):
        for path in sorted(folder.glob("*.*")):
            digest.update(path.name.encode() + b"\0" + path.read_bytes())
    return digest.hexdigest()


RUNNERS: dict[str, TestRunner] = {"light": LightRunner(), "pytest": PytestRunner()}


def find_runner(name: str) -> TestRunner:
    """Return the runner of this name; raises DataError that lists the choices."""
    if name not in RUNNERS:
        raise DataError(f"test_runner '{name}' is unknown: choose one of {', '.join(RUNNERS)}")
    return RUNNERS[name]


_memory = RunMemory()


def remember_runs(path: Path | None) -> None:
    """Let this process share its test runs with others through a table at `path`; None: with none."""
    global _memory
    _memory = RunMemory(path)


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
        chosen = find_runner(runner)
        run = chosen.run(snapshot, node_ids, opened)
        _memory.keep(key, run, is_shared=chosen.is_pure)
    return run


def collect_tests(runner: str, snapshot: Snapshot, path: str) -> list[str]:
    """Return the node ids of the tests in a folder, a file, or the one that a node id names."""
    return find_runner(runner).collect(snapshot, path)
