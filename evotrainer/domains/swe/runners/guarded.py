"""Running a set of tests in one execution: what it says is believed while the tests planted in it end as they must.

One planted test must pass and one must fail, named like no test of the repository. Code that makes all tests pass makes
the second one pass too, and code that ends the run takes the first one with it. Else the set is run again in halves,
down to single tests: one that kills the interpreter takes no other test its result.
"""

import ast
import secrets
from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any, get_args

from evotrainer.domains.swe.checkout.repository import Snapshot
from evotrainer.domains.swe.runners.assertions import LEAF, JudgedFile, Site, judged
from evotrainer.domains.swe.runners.base import (
    TestResult,
    TestRun,
    TestStatus,
    is_helper,
    is_protected,
    is_test_file,
    joined,
)
from evotrainer.sandbox import Execution

_STATUSES = get_args(TestStatus)
_PROCESS = secrets.token_hex(4)
"""Drawn anew in each process, so that no policy can learn the names of planted tests."""


@dataclass(frozen=True)
class Planted:
    """A test file with two tests."""

    path: str
    must_pass: str
    must_fail: str
    source: str


def plant(node_ids: Sequence[str]) -> Planted:
    """Return the planted tests, in the folder of the first of these."""
    folder = node_ids[0].partition("::")[0].rpartition("/")[0]
    path = f"{folder}/test_{_PROCESS}.py".lstrip("/")
    names = [f"test_{_PROCESS}_{letter}" for letter in "ab"]
    bodies = [
        f"def {name}():\n    assert sum([1, 2, 3]) == {value}\n" for name, value in zip(names, (6, 7), strict=True)
    ]
    return Planted(path, f"{path}::{names[0]}", f"{path}::{names[1]}", "\n\n".join(bodies))


@dataclass(frozen=True)
class Judging:
    """The hidden tests of a snapshot, as the sandbox gets them: their files, and other Python files of the repository
    that tests assert with.
    """

    files: Mapping[str, JudgedFile]
    hidden: frozenset[str]
    changed: list[str]
    """The attempt's own paths."""
    added: list[str]
    """Those of them that are Python files where the repository has none."""
    secret: str = field(default_factory=secrets.token_hex)
    """Handed back by the judge in the sandbox alone."""

    @cached_property
    def sites(self) -> dict[str, Site]:
        """All assertions."""
        return {name: site for file in self.files.values() for name, site in file.sites.items()}

    @property
    def arguments(self) -> tuple[Any, ...]:
        """What `run` inside is given of it."""
        codes = {path: [file.code, file.error, path in self.hidden] for path, file in self.files.items()}
        return [self.secret], codes, self.changed, self.added, any(file.has_secrets for file in self.files.values())


def judging(snapshot: Snapshot, opened: frozenset[str]) -> Judging:
    """Return the hidden tests of a snapshot; no files where it hides nothing."""
    if not snapshot.hidden:
        return Judging({}, frozenset(), [], [])
    base, changes = snapshot.repository.files, snapshot.changes
    helpers = {path for path in base if (is_protected(path) or is_helper(path)) and not is_test_file(path)}
    paths = [*snapshot.hidden, *(helpers - changes.keys())]
    files = {path: judged(path, snapshot.files[path], opened) for path in paths if path in snapshot.files}
    own = [path for path in changes if path not in snapshot.hidden]
    added = sorted(path for path in own if changes[path] is not None and path.endswith(".py") and path not in base)
    python = {path: file for path, file in sorted(files.items()) if path.endswith(".py")}
    return Judging(python, snapshot.hidden, own, added)


def emptied(files: Mapping[str, str | None], hidden: Mapping[str, Any]) -> dict[str, str]:
    """Return the files that are there, with empty ones in the place of hidden ones."""
    return {path: "" if path in hidden else text for path, text in files.items() if text is not None}


class TestRunner(ABC):
    """Runs tests in the process's shared sandbox. Raises SandboxError when the sandbox itself failed; what the
    attempt's own files bring about is how its tests end.
    """

    __test__ = False  # for pytest, which collects classes by name

    @abstractmethod
    def collect(self, snapshot: Snapshot, path: str) -> list[str]:
        """Return the node ids of the tests in a folder, a file, or the one that a node id names."""

    def run(self, snapshot: Snapshot, node_ids: Sequence[str], opened: frozenset[str] = frozenset()) -> TestRun:
        """Run these tests; a result stands for each, in the order asked. `opened`: assertions of hidden tests that run
        inside.
        """
        if snapshot.excess is not None:  # its files cannot be put on a disk
            return TestRun({name: TestResult("missing", snapshot.excess) for name in node_ids})
        return self._guarded(snapshot, node_ids, judging(snapshot, opened))

    @abstractmethod
    def _execute(self, snapshot: Snapshot, names: Sequence[str], judged: Judging) -> Execution:
        """Run tests of a snapshot that holds the planted ones too; the value is {node id: [status, detail, sent]} and
        what was reached.
        """

    def _guarded(self, snapshot: Snapshot, node_ids: Sequence[str], judged: Judging) -> TestRun:
        planted = plant(node_ids)
        names = [planted.must_fail, *node_ids, planted.must_pass]
        execution = self._execute(snapshot.with_changes({planted.path: planted.source}), names, judged)
        said, reached = parts(execution, judged.secret)
        answers = {name: _result(answer, judged.sites) for name, answer in said.items()}
        ends = [answers.get(name, TestResult("missing")).status for name in (planted.must_pass, planted.must_fail)]
        if execution.outcome == "ok" and ends == ["passed", "failed"]:
            return TestRun({name: answers.get(name, TestResult("missing")) for name in node_ids}, reached=reached)
        if execution.slept:  # and would again in each of them
            return TestRun({name: TestResult("timeout", "timeout") for name in node_ids}, reached=reached)
        if len(node_ids) > 1:
            middle = len(node_ids) // 2
            halves = node_ids[:middle], node_ids[middle:]
            return joined(*(self._guarded(snapshot, half, judged) for half in halves))
        return replace(_spoiled(node_ids[0], execution), reached=reached)


def _spoiled(node_id: str, execution: Execution) -> TestRun:
    """Return the run of one test that took its execution with it."""
    if execution.outcome == "timeout":
        return TestRun({node_id: TestResult("timeout", "timeout")})
    ended = execution.outcome != "ok"
    run = TestRun({node_id: TestResult("missing", execution.outcome if ended else "planted tests did not hold")})
    return replace(run, is_forged=not ended, exited_early=execution.outcome == "no_result")


def _result(answer: Any, sites: Mapping[str, Site]) -> TestResult:
    """Return what an answer says, material of any shape: a test has passed where what it sent holds too."""
    try:
        status, detail, sent = answer
        sent = [(str(site), list(forms)) for site, forms in sent]
    except (TypeError, ValueError):
        return TestResult("missing")
    if status not in _STATUSES or not isinstance(detail, str):
        return TestResult("missing")
    unheld = [site for site, forms in sent if site in sites and not _holds(sites[site], forms)]
    if status == "passed" and unheld:
        status, detail = "failed", sites[unheld[0]].line
    return TestResult(status, detail, frozenset(site for site, _ in sent), frozenset(unheld))


def _holds(site: Site, sent: Sequence[Any]) -> bool:
    """Return whether an assertion holds for what was sent of its values; of an opened one: whether it held inside."""
    if site.test is None:
        return sent == [True]
    try:
        values = {LEAF.format(at): ast.literal_eval(text) for at, text in enumerate(sent) if text}
        return bool(eval(site.test, {"__builtins__": {}, "abs": abs, "round": round, **values}))
    except Exception:  # no literal, or values of other types than the test's author thought of: any exception may come
        return False


def parts(execution: Execution, secret: str) -> tuple[dict[str, Any], frozenset[str]]:
    """Return the two parts of what the judge of an execution said; empty ones where it was not the judge."""
    match execution.value:
        case [dict(results), list(reached), said] if said == secret:
            return results, frozenset(text for text in reached if isinstance(text, str))
    return {}, frozenset()
