"""The light runner: plain test functions with asserts, a whole set in one execution of about 5 ms.

No fixtures, parametrisation or classes: a problem that needs them says `test_runner: pytest`. Imports start at the
repository's top and at the test file's folder, as under `python -m pytest`. Tests are collected here, from their text.
"""

import ast
from collections.abc import Mapping, Sequence
from functools import lru_cache
from pathlib import PurePosixPath

from evotrainer.domains.swe.checkout.disk_quota import space
from evotrainer.domains.swe.checkout.paths import below
from evotrainer.domains.swe.checkout.snapshot import Snapshot
from evotrainer.domains.swe.runners.base import TestRun, unplaced
from evotrainer.domains.swe.runners.guarded import run_guarded
from evotrainer.domains.swe.runners.sentinels import Sentinels
from evotrainer.domains.swe.runners.test_paths import is_test_file
from evotrainer.domains.swe.runners.watched import INSIDE, PACKAGE, added, code_program, emptied, support, watched
from evotrainer.sandbox import Execution, Limits, Program
from evotrainer.sandbox.inside import calling
from evotrainer.sandbox.shared import shared_sandbox

TEST_SECONDS = 0.2
"""Processor time of one test, its imports included."""
START_SECONDS, WALL_FACTOR = 1.0, 10.0
FILE_BYTES = 16 * 1024**2
"""What tests may write, beside the repository's own files."""

_PRELOAD, _INSIDE = ("uuid",), (*INSIDE, f"{PACKAGE}.light_inside")


class LightRunner:
    """Runs test functions in the process's shared sandbox."""

    is_pure = True

    def collect(self, snapshot: Snapshot, path: str) -> list[str]:
        """Return the node ids of the tests in a folder, a file, or the one that a node id names."""
        file, _, function = path.partition("::")
        return [
            f"{name}::{test}" if test else name
            for name in below(snapshot.files, file)
            if is_test_file(name)
            for test in test_functions(snapshot.files[name])
            if not function or test in ("", function)
        ]

    def run(self, snapshot: Snapshot, node_ids: Sequence[str], is_apart: bool = False) -> TestRun:
        """Run these tests; a result stands for each. `is_apart`: in a process of their own."""
        if (run := unplaced(snapshot, node_ids)) is not None:
            return run
        return run_guarded(lambda names, sentinels: _execute(snapshot, names, sentinels, is_apart), node_ids)


@lru_cache(maxsize=4096)
def test_functions(source: str) -> tuple[str, ...]:
    """Return the names of a file's test functions, in order; one empty name for what is no Python."""
    try:
        tree = ast.parse(source)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return ("",)
    names = [node.name for node in tree.body if isinstance(node, ast.FunctionDef) and node.name.startswith("test")]
    return tuple(dict.fromkeys(names))


def _execute(snapshot: Snapshot, node_ids: Sequence[str], sentinels: Sentinels, is_apart: bool) -> Execution:
    placed = {**snapshot.files, sentinels.path: sentinels.source}
    hidden, changed = watched(snapshot, sentinels)
    places = [(name, *name.partition("::")) for name in node_ids]
    tests = [[name, path, *_module(path, placed), function] for name, path, _, function in places]
    sources = {path: placed[path] for _, path, _, _ in places if path in placed} | hidden
    files = emptied(snapshot.files, hidden)
    asked = [test for test in tests if test[1] in sources]
    others = support(snapshot) if is_apart else {}
    program = Program(
        calling(_INSIDE[-1], "run"),
        function="run",
        files={} if is_apart else files,
        arguments=(asked, sources, others, TEST_SECONDS, list(hidden), changed, added(snapshot), is_apart),
        beside=code_program(files, list(hidden), changed, is_fresh=True) if is_apart else None,
    )
    seconds = START_SECONDS + TEST_SECONDS * len(tests)
    limits = Limits(seconds, seconds * WALL_FACTOR, file_bytes=FILE_BYTES + space(files))
    return shared_sandbox(_PRELOAD, own_modules=_INSIDE).run(program, limits)


def _module(path: str, files: Mapping[str, str]) -> tuple[str, str]:
    """Return the name a test file is imported by, and the folder its imports start from, as pytest has them."""
    parts = [PurePosixPath(path).stem]
    folder = PurePosixPath(path).parent
    while folder.name and f"{folder}/__init__.py" in files:
        parts.insert(0, folder.name)
        folder = folder.parent
    return ".".join(parts), "" if str(folder) == "." else str(folder)
