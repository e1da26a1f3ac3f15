"""The two test runners: plain functions in about 5 ms a set, and real pytest.

**light** takes plain test functions with asserts: no fixtures, parametrisation or classes. Imports start at the
repository's top and at the test file's folder, as under `python -m pytest`. Tests are collected here, from their text.

**pytest** is loaded once in the process that executions are forked from. The repository's own configuration is in
force; plugins of the environment are not loaded, unless that configuration names them (`-p`). No child process, no
socket: tests that need them, asyncio's among them, cannot run here.
"""

import ast
import sysconfig
from collections.abc import Mapping, Sequence
from functools import lru_cache
from pathlib import PurePosixPath

from evotrainer.domains.swe.checkout.files import below, space
from evotrainer.domains.swe.checkout.repository import Snapshot
from evotrainer.domains.swe.runners.base import is_test_file
from evotrainer.domains.swe.runners.guarded import Judging, TestRunner, emptied, parts
from evotrainer.sandbox import Execution, Limits, Program
from evotrainer.sandbox.program import calling
from evotrainer.sandbox.sandbox import shared_sandbox

LIGHT_TEST_SECONDS, PYTEST_TEST_SECONDS = 0.2, 5.0
"""Processor time of one test: its imports included, or beside as much for the import of its file."""
OUTPUT_BYTES = 4 * 1024**2
"""What tests may send."""
_PACKAGE = "evotrainer.domains.swe.runners"
_LIGHT, _PYTEST = f"{_PACKAGE}.light_inside", f"{_PACKAGE}.pytest_inside"
_INSIDE = tuple(f"{_PACKAGE}.{name}_inside" for name in ("judge", "helpers", "watch", "fresh"))
"""Modules of this folder that sandboxes of both runners have loaded."""
_PRELOAD = (
    *("uuid", "fractions", "decimal", "datetime", "statistics", "json", "copy", "pathlib", "string", "cmath"),
    *("array", "contextlib", "difflib", "filecmp", "functools", "unittest.case"),
)
_PYTEST_PRELOAD = ("pytest", "unittest.mock", "_pytest.assertion.rewrite", "_pytest.python", "_pytest.terminal")


class LightRunner(TestRunner):
    """Runs plain test functions."""

    def collect(self, snapshot: Snapshot, path: str) -> list[str]:
        """Return the node ids of the tests in a folder, a file, or the one that a node id names."""
        file, _, function = path.partition("::")
        return [
            f"{name}::{test}" if test else name
            for name in below(snapshot.files, file)
            if is_test_file(name)
            for test in _test_functions(snapshot.files[name])
            if not function or test in ("", function)
        ]

    def _execute(self, snapshot: Snapshot, names: Sequence[str], judged: Judging) -> Execution:
        placed = snapshot.files
        places = [(name, *name.partition("::")) for name in names]
        tests = [[name, path, *_module(path, placed), function] for name, path, _, function in places if path in placed]
        files = emptied(placed, judged.files)
        arguments = (tests, LIGHT_TEST_SECONDS, *judged.arguments)
        program = Program(calling(_LIGHT, "run"), function="run", files=files, arguments=arguments)
        seconds = 1.0 + LIGHT_TEST_SECONDS * len(names)
        bounds = {"file_bytes": 16 * 1024**2 + space(files), "output_bytes": OUTPUT_BYTES}
        sandbox = shared_sandbox(_PRELOAD, own_modules=(*_INSIDE, _LIGHT))
        return sandbox.run(program, Limits(seconds, seconds * 10, **bounds))


class PytestRunner(TestRunner):
    """Runs pytest in a sandbox that has it loaded, and may read the repository where that lies on disk."""

    def collect(self, snapshot: Snapshot, path: str) -> list[str]:
        """Return the node ids of the tests in a folder, a file, or the one that a node id names."""
        file, _, test = path.partition("::")
        paths = [name for name in below(snapshot.files, file) if is_test_file(name)]
        if not paths or snapshot.excess:
            return []
        unjudged = Judging({}, frozenset(), [], [])
        found, _ = parts(self._run(snapshot, (), paths, unjudged), unjudged.secret)
        wanted = f"{file}::{test}" if test else ""
        return [name for name in found if not test or name == wanted or name.startswith((f"{wanted}[", f"{wanted}::"))]

    def _execute(self, snapshot: Snapshot, names: Sequence[str], judged: Judging) -> Execution:
        paths = dict.fromkeys(name.partition("::")[0] for name in names)
        return self._run(snapshot, names, [path for path in paths if path in snapshot.files], judged)

    def _run(self, snapshot: Snapshot, names: Sequence[str], paths: Sequence[str], judged: Judging) -> Execution:
        """Run tests of some files; only name the tests of these files where no names are given."""
        root, packages = snapshot.repository.root, snapshot.repository.packages
        files = emptied(snapshot.files if root is None else snapshot.changes, judged.files)
        files |= dict.fromkeys(judged.files, "")
        removed = [path for path, text in snapshot.changes.items() if text is None]
        base = None if root is None else (str(root), removed)
        arguments = (list(names), list(paths), PYTEST_TEST_SECONDS, base, *judged.arguments)
        program = Program(calling(_PYTEST, "run"), function="run", files=files, arguments=arguments)
        seconds = 10.0 + PYTEST_TEST_SECONDS * len(names)
        bounds = {"memory_bytes": 2 * 1024**3, "file_bytes": 1024**3 + space(files), "output_bytes": OUTPUT_BYTES}
        imported = (*([str(packages)] if packages else []), sysconfig.get_path("purelib"))
        readable = (str(root),) if root else ()
        sandbox = shared_sandbox((*_PRELOAD, *_PYTEST_PRELOAD), imported, readable, (*_INSIDE, _PYTEST))
        return sandbox.run(program, Limits(seconds, seconds * 5, **bounds))


@lru_cache(maxsize=4096)
def _test_functions(source: str) -> tuple[str, ...]:
    """Return the names of a file's test functions, in order; one empty name for what is no Python."""
    try:
        tree = ast.parse(source.removeprefix("\ufeff"))
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return ("",)
    names = [node.name for node in tree.body if isinstance(node, ast.FunctionDef) and node.name.startswith("test")]
    return tuple(dict.fromkeys(names))


def _module(path: str, files: Mapping[str, str]) -> tuple[str, str]:
    """Return the name a test file is imported by, and the folder its imports start from, as pytest has them."""
    names = [PurePosixPath(path).stem]
    folder = PurePosixPath(path).parent
    while folder.name and f"{folder}/__init__.py" in files:
        names.insert(0, folder.name)
        folder = folder.parent
    return ".".join(names), "" if str(folder) == "." else str(folder)
