"""The light runner: plain test functions with asserts, a whole set in one execution of about 5 ms.

No fixtures, parametrisation or classes: a problem that needs them says `test_runner: pytest`. Imports start at the
repository's top and at the test file's folder, as under `python -m pytest`. Tests are collected here, from their text.
"""

import ast
from collections.abc import Mapping, Sequence
from functools import lru_cache
from pathlib import Path, PurePosixPath

from evotrainer.repositories.runners.base import TestResult, TestRun
from evotrainer.repositories.runners.sentinels import Sentinels, plant
from evotrainer.repositories.snapshot import Snapshot
from evotrainer.repositories.test_paths import is_test_file
from evotrainer.repositories.working_copy import below
from evotrainer.sandbox import Execution, Limits, Program
from evotrainer.sandbox.shared import shared_sandbox

TEST_SECONDS = 0.5
"""Processor time of one test, its imports included."""
START_SECONDS, WALL_FACTOR = 1.0, 10.0

_SOURCE = (Path(__file__).parent / "light_inside.py").read_text(encoding="utf-8")
_STATUSES = ("passed", "failed", "error", "timeout", "missing")


class LightRunner:
    """Runs test functions in the process's shared sandbox."""

    def collect(self, snapshot: Snapshot, path: str) -> list[str]:
        """Return the node ids of the tests in a folder, a file, or the one that a node id names."""
        file, _, function = path.partition("::")
        return [
            f"{name}::{test}"
            for name in below(snapshot.files, file)
            if is_test_file(name)
            for test in test_functions(snapshot.files[name])
            if not function or test == function
        ]

    def run(self, snapshot: Snapshot, node_ids: Sequence[str]) -> TestRun:
        """Run these tests; a result stands for each."""
        run = _run(snapshot.files, node_ids)
        if run is not None:
            return TestRun(run)
        alone = [_run_alone(snapshot.files, name) for name in node_ids]
        return TestRun(
            {name: result for name, (result, _, _) in zip(node_ids, alone, strict=True)},
            is_forged=any(is_forged for _, is_forged, _ in alone),
            exited_early=any(exited for _, _, exited in alone),
        )


@lru_cache(maxsize=4096)
def test_functions(source: str) -> tuple[str, ...]:
    """Return the names of a file's test functions, in order; none for what is no Python."""
    try:
        tree = ast.parse(source)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return ()
    names = [node.name for node in tree.body if isinstance(node, ast.FunctionDef) and node.name.startswith("test")]
    return tuple(dict.fromkeys(names))


def _run(files: Mapping[str, str], node_ids: Sequence[str]) -> dict[str, TestResult] | None:
    """Run tests in one execution; None when it did not end well or the planted tests do not hold."""
    sentinels = plant(_folder(node_ids))
    execution = _execute(files, [sentinels.must_fail, *node_ids, sentinels.must_pass], sentinels)
    answers = _answers(execution)
    if execution.outcome != "ok" or not sentinels.hold({name: status for name, (status, _) in answers.items()}):
        return None
    return {name: _result(answers.get(name)) for name in node_ids}


def _run_alone(files: Mapping[str, str], node_id: str) -> tuple[TestResult, bool, bool]:
    """Run one test; return its result, whether it was forged, and whether the process ended early with status 0."""
    sentinels = plant(_folder([node_id]))
    execution = _execute(files, [sentinels.must_fail, node_id, sentinels.must_pass], sentinels)
    answers = _answers(execution)
    if execution.outcome != "ok" or not answers:
        exited = execution.outcome == "no_result"
        is_over_time = execution.outcome == "timeout"
        return TestResult("timeout" if is_over_time else "missing", execution.outcome), False, exited
    if not sentinels.hold({name: status for name, (status, _) in answers.items()}):
        return TestResult("missing", "forged"), True, False
    return _result(answers.get(node_id)), False, False


def _execute(files: Mapping[str, str], node_ids: Sequence[str], sentinels: Sentinels) -> Execution:
    placed = {**files, sentinels.path: sentinels.source}
    places = [(name, *name.split("::", 1)) for name in node_ids]
    tests = [[name, path, *_module(path, placed), function] for name, path, function in places]
    sources = {path: placed[path] for _, path, _ in places if path in placed}
    program = Program(
        _SOURCE, function="run", files=dict(files),
        arguments=([test for test in tests if test[1] in sources], sources, TEST_SECONDS),
    )  # fmt: skip
    seconds = START_SECONDS + TEST_SECONDS * len(tests)
    return shared_sandbox().run(program, Limits(cpu_seconds=seconds, wall_seconds=seconds * WALL_FACTOR))


def _module(path: str, files: Mapping[str, str]) -> tuple[str, str]:
    """Return the name a test file is imported by, and the folder its imports start from, as pytest has them."""
    parts = [PurePosixPath(path).stem]
    folder = PurePosixPath(path).parent
    while folder.name and f"{folder}/__init__.py" in files:
        parts.insert(0, folder.name)
        folder = folder.parent
    return ".".join(parts), "" if str(folder) == "." else str(folder)


def _answers(execution: Execution) -> dict[str, tuple[str, str]]:
    """Return what the execution said, node id -> (status, detail): material to compare, of any shape."""
    value = execution.value if isinstance(execution.value, dict) else {}
    return {
        name: (answer[0], answer[1])
        for name, answer in value.items()
        if isinstance(answer, list) and len(answer) == 2 and answer[0] in _STATUSES and isinstance(answer[1], str)
    }


def _result(answer: tuple[str, str] | None) -> TestResult:
    return TestResult("missing") if answer is None else TestResult(answer[0], answer[1])  # type: ignore[arg-type]


def _folder(node_ids: Sequence[str]) -> str:
    """Return the folder of the first test, where the planted ones stand."""
    return node_ids[0].partition("::")[0].rpartition("/")[0] if node_ids else ""
