"""Test runs remembered on disk: the stages of a campaign, processes of their own, meet the same states again.

A pure runner's run follows from the files, the tests asked for and the code that runs them: the three make the key.
Only runs in which each test answered are kept for others: what timed out, died or reached for the runner may end
otherwise next time. A row is written by the parent, from what it believed; losing the table costs time, never a result.
"""

import hashlib
import json
import sqlite3
import sys
import threading
from collections import OrderedDict
from collections.abc import Sequence
from dataclasses import asdict
from functools import cache
from pathlib import Path

import evotrainer.sandbox
from evotrainer.domains.swe.runners.base import TestResult, TestRun

SETTLED = frozenset({"passed", "failed", "error", "skipped"})
"""How a test ends that would end so again."""
BUSY_SECONDS = 10.0
MAX_RECENT = 20_000


class RunMemory:
    """Finished runs: the last ones in this process, and all in a table where one is named. For several threads."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._recent: OrderedDict[str, TestRun] = OrderedDict()
        self._path: Path | None = None
        self._table: sqlite3.Connection | None = None

    def share(self, path: Path | None) -> None:
        """Forget all, and keep runs in the table at `path` from now on, which is made when the first test is run."""
        with self._lock:
            if self._table is not None:
                self._table.close()
            self._path, self._table = path, None
            self._recent.clear()

    def find(self, key: str) -> TestRun | None:
        """Return the run kept under this key; raises sqlite3.DatabaseError where the file is no such table."""
        with self._lock:
            if key in self._recent:
                return self._recent[key]
            row = self._path and self._open().execute("select results from runs where key = ?", (key,)).fetchone()
            if not row:
                return None
            run = TestRun({name: TestResult(**result) for name, result in json.loads(row[0]).items()})
            self._note(key, run)
            return run

    def keep(self, key: str, run: TestRun, is_shared: bool) -> None:
        """Keep a run in this process; `is_shared`: for others too, if it would end so again."""
        results = json.dumps({name: asdict(result) for name, result in run.results.items()})
        with self._lock:
            self._note(key, run)
            if is_shared and self._path and _is_settled(run):
                self._open().execute("insert or ignore into runs values (?, ?)", (key, results))

    def _note(self, key: str, run: TestRun) -> None:
        self._recent[key] = run
        if len(self._recent) > MAX_RECENT:
            self._recent.popitem(last=False)

    def _open(self) -> sqlite3.Connection:
        if self._table is None:
            assert self._path is not None
            self._path.parent.mkdir(parents=True, exist_ok=True)
            self._table = sqlite3.connect(
                self._path, timeout=BUSY_SECONDS, isolation_level=None, check_same_thread=False
            )
            self._table.execute("pragma journal_mode=wal")
            self._table.execute("pragma synchronous=off")
            self._table.execute("create table if not exists runs (key text primary key, results text) without rowid")
        return self._table


def _is_settled(run: TestRun) -> bool:
    is_clean = not run.is_forged and not run.exited_early and not run.reached
    return is_clean and all(result.status in SETTLED for result in run.results.values())


def run_key(runner: str, snapshot_key: str, node_ids: Sequence[str]) -> str:
    """Return a hash of what a run follows from."""
    return hashlib.sha256(json.dumps([_code_hash(), runner, snapshot_key, list(node_ids)]).encode()).hexdigest()


@cache
def _code_hash() -> str:
    """Return a hash of the interpreter and of the code that runs tests."""
    digest = hashlib.sha256(sys.version.encode())
    for folder in (Path(__file__).parent, Path(evotrainer.sandbox.__file__).parent):
        for path in sorted(folder.glob("*.py")):
            digest.update(path.name.encode() + b"\0" + path.read_bytes())
    return digest.hexdigest()
