"""The pytest runner: real pytest in the sandbox, loaded once in the process that executions are forked from.

The repository's own configuration is in force; plugins of the environment are not loaded, unless that configuration
names them (`-p`). No child process, no socket: tests that need them, asyncio's among them, cannot run here.
"""

import sysconfig
from collections.abc import Sequence
from pathlib import Path

from evotrainer.domains.swe.checkout.files import below, space
from evotrainer.domains.swe.checkout.repository import Snapshot
from evotrainer.domains.swe.runners.base import TestRun, is_test_file
from evotrainer.domains.swe.runners.guarded import Judging, Planted, emptied, judging, parts, run_guarded
from evotrainer.domains.swe.runners.light import INSIDE, OUTPUT_BYTES, PACKAGE, PRELOAD
from evotrainer.sandbox import Execution, Limits, Program, Sandbox
from evotrainer.sandbox.program import calling
from evotrainer.sandbox.sandbox import shared_sandbox

TEST_SECONDS = 5.0
"""Processor time of one test, and of the import of one test file."""
START_SECONDS, WALL_FACTOR = 10.0, 5.0
MEMORY_BYTES, FILE_BYTES = 2 * 1024**3, 1024**3

_INSIDE = (*INSIDE, f"{PACKAGE}.pytest_inside")
_PRELOAD = (*PRELOAD, "pytest", "unittest.mock", "_pytest.assertion.rewrite", "_pytest.python", "_pytest.terminal")


class PytestRunner:
    """Runs pytest in a sandbox that has it loaded."""

    is_pure = False

    def collect(self, snapshot: Snapshot, path: str) -> list[str]:
        """Return the node ids of the tests in a folder, a file, or the one that a node id names."""
        file, _, test = path.partition("::")
        paths = [name for name in below(snapshot.files, file) if is_test_file(name)]
        if not paths or snapshot.excess:
            return []
        found, _ = parts(_execute(snapshot, (), paths, Judging({}, frozenset(), [], [])))
        wanted = f"{file}::{test}" if test else ""
        return [name for name in found if not test or name == wanted or name.startswith((f"{wanted}[", f"{wanted}::"))]

    def run(self, snapshot: Snapshot, node_ids: Sequence[str], opened: frozenset[str] = frozenset()) -> TestRun:
        """Run these tests; a result stands for each. `opened`: assertions of hidden tests that run inside."""
        judged = judging(snapshot, opened)

        def execute(names: Sequence[str], planted: Planted) -> Execution:
            placed = snapshot.with_changes({planted.path: planted.source})
            paths = list(dict.fromkeys(name.partition("::")[0] for name in names))
            return _execute(placed, names, [path for path in paths if path in placed.files], judged)

        return run_guarded(snapshot, node_ids, judged.sites, execute)


def _execute(snapshot: Snapshot, node_ids: Sequence[str], paths: Sequence[str], judged: Judging) -> Execution:
    """Run tests of some files; name the tests of these files where no node ids are given."""
    root = snapshot.repository.root
    files = emptied(snapshot.files if root is None else snapshot.changes, judged.files)
    files |= dict.fromkeys(judged.files, "")
    removed = [path for path, text in snapshot.changes.items() if text is None]
    base = None if root is None else (str(root), removed)
    arguments = (list(node_ids), list(paths), TEST_SECONDS, base, *judged.arguments)
    program = Program(calling(_INSIDE[-1], "run"), function="run", files=files, arguments=arguments)
    seconds = START_SECONDS + TEST_SECONDS * len(node_ids)
    bounds = {"memory_bytes": MEMORY_BYTES, "file_bytes": FILE_BYTES + space(files), "output_bytes": OUTPUT_BYTES}
    return _sandbox(root, snapshot.repository.packages).run(program, Limits(seconds, seconds * WALL_FACTOR, **bounds))


def _sandbox(root: Path | None, packages: Path | None) -> Sandbox:
    """Return the sandbox that has pytest loaded, and may read the repository where that lies on disk."""
    own = sysconfig.get_path("purelib")
    imported = (str(packages), own) if packages else (own,)
    return shared_sandbox(_PRELOAD, imported, (str(root),) if root else (), _INSIDE)
