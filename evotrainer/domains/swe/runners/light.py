"""The light runner: plain test functions with asserts, a whole set in one execution of about 5 ms.

No fixtures, parametrisation or classes: a problem that needs them says `test_runner: pytest`. Imports start at the
repository's top and at the test file's folder, as under `python -m pytest`. Tests are collected here, from their text.
"""

import ast
from collections.abc import Mapping, Sequence
from functools import lru_cache
from pathlib import PurePosixPath

from evotrainer.domains.swe.checkout.files import below, space
from evotrainer.domains.swe.checkout.repository import Snapshot
from evotrainer.domains.swe.runners.base import TestRun, is_test_file
from evotrainer.domains.swe.runners.guarded import Planted, emptied, judging, run_guarded
from evotrainer.sandbox import Execution, Limits, Program
from evotrainer.sandbox.program import calling
from evotrainer.sandbox.sandbox import shared_sandbox

TEST_SECONDS = 0.2
"""Processor time of one test, its imports included."""
START_SECONDS, WALL_FACTOR = 1.0, 10.0
FILE_BYTES, OUTPUT_BYTES = 16 * 1024**2, 4 * 1024**2
"""What tests may write, beside the repository's own files; and send."""
PACKAGE = "evotrainer.domains.swe.runners"
INSIDE = tuple(f"{PACKAGE}.{name}_inside" for name in ("watch", "judge", "fresh"))
"""Modules of this folder that sandboxes of both runners have loaded."""
PRELOAD = ("uuid", "fractions", "decimal", "datetime", "statistics", "json", "copy", "pathlib", "string", "cmath")


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

    def run(self, snapshot: Snapshot, node_ids: Sequence[str], opened: frozenset[str] = frozenset()) -> TestRun:
        """Run these tests; a result stands for each. `opened`: assertions of hidden tests that run inside."""
        judged = judging(snapshot, opened)

        def execute(names: Sequence[str], planted: Planted) -> Execution:
            placed = {**snapshot.files, planted.path: planted.source}
            places = [(name, *name.partition("::")) for name in names]
            tests = [[name, path, *_module(path, placed), function] for name, path, _, function in places]
            asked = [test for test in tests if test[1] in placed]
            files = emptied(placed, judged.files)
            arguments = (asked, TEST_SECONDS, *judged.arguments)
            program = Program(
                calling(f"{PACKAGE}.light_inside", "run"), function="run", files=files, arguments=arguments
            )
            seconds = START_SECONDS + TEST_SECONDS * len(tests)
            bounds = {"file_bytes": FILE_BYTES + space(files), "output_bytes": OUTPUT_BYTES}
            sandbox = shared_sandbox(PRELOAD, own_modules=(*INSIDE, f"{PACKAGE}.light_inside"))
            return sandbox.run(program, Limits(seconds, seconds * WALL_FACTOR, **bounds))

        return run_guarded(snapshot, node_ids, judged.sites, execute)


@lru_cache(maxsize=4096)
def test_functions(source: str) -> tuple[str, ...]:
    """Return the names of a file's test functions, in order; one empty name for what is no Python."""
    try:
        tree = ast.parse(source.removeprefix("\ufeff"))
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return ("",)
    names = [node.name for node in tree.body if isinstance(node, ast.FunctionDef) and node.name.startswith("test")]
    return tuple(dict.fromkeys(names))


def _module(path: str, files: Mapping[str, str]) -> tuple[str, str]:
    """Return the name a test file is imported by, and the folder its imports start from, as pytest has them."""
    parts = [PurePosixPath(path).stem]
    folder = PurePosixPath(path).parent
    while folder.name and f"{folder}/__init__.py" in files:
        parts.insert(0, folder.name)
        folder = folder.parent
    return ".".join(parts), "" if str(folder) == "." else str(folder)
