"""From the messages of an episode to the hidden tests on what it made, and how these are run and judged."""

import ast
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache

from evotrainer.domains.swe.checkout.disk import open_repository
from evotrainer.domains.swe.checkout.files import in_the_way
from evotrainer.domains.swe.checkout.host_git import PatchError, apply_patch, changed_paths
from evotrainer.domains.swe.checkout.repository import Repository, Snapshot
from evotrainer.domains.swe.checkout.working_copy import WorkingCopy
from evotrainer.domains.swe.runners import TestRun, run_tests
from evotrainer.domains.swe.runners.base import is_helper, is_protected
from evotrainer.domains.swe.runners.judge_inside import OPERATORS
from evotrainer.domains.swe.tools import SUBMIT, answered_calls, replay
from evotrainer.errors import GraderError
from evotrainer.records import Message, Problem

MAX_ROUNDS = 3
"""Runs of the reference patch that find out which assertions are opened."""


@dataclass(frozen=True)
class FinalState:
    """What an episode ended with. `touched`: the paths that its tools wrote, put back since or not."""

    snapshot: Snapshot
    touched: frozenset[str]


def final_state(problem: Problem, messages: Sequence[Message], sanitize: bool) -> FinalState:
    """Rebuild the files that an episode ended with, from its messages."""
    copy = WorkingCopy(open_repository(problem, sanitize))
    tools = replay(messages, copy)
    snapshot = Snapshot(copy.repository, copy.changes())
    return FinalState(snapshot, frozenset({*tools.touched, *snapshot.changes}))


def hidden_ids(problem: Problem) -> list[str]:
    """Return the node ids that decide, those that must change first."""
    return list(dict.fromkeys([*problem.data["fail_to_pass"], *problem.data["pass_to_pass"]]))


def graded(problem: Problem, snapshot: Snapshot) -> Snapshot:
    """Return the state that the hidden tests run on: tests and their configuration as before, hidden tests over them.

    A protected file that the reference patch itself changes is part of the answer and stays as the policy left it. What
    the repository has to assert with counts as protected. What stands where one of the tests' folders must be, or makes
    a folder of a test file, gives way.
    """
    answer, hidden = changed_paths(problem.answer), hidden_files(problem, snapshot.repository)
    helpers = {path for path in snapshot.changes if is_helper(path) and path in snapshot.repository.files}
    put_back = {path for path in snapshot.changes if is_protected(path) or path in helpers} - answer
    own = {path for path, text in snapshot.changes.items() if text is not None} - put_back - hidden.keys()
    judges = {path for path in put_back if path in snapshot.repository.files} | hidden.keys()
    return snapshot.restored(put_back | in_the_way(own, judges)).with_hidden(hidden)


def hidden_files(problem: Problem, repository: Repository) -> dict[str, str | None]:
    """Return the hidden test files, path -> text. Raises GraderError where they are a patch that does not apply."""
    if patch := problem.data.get("test_patch"):
        try:
            return dict(_patched(repository, patch))
        except PatchError as error:
            raise GraderError(f"problem {problem.problem_id}: its test_patch does not fit: {error}") from None
    return dict(problem.data["hidden_tests"])


def share_passed(problem: Problem, run: TestRun) -> float:
    """Return the share of fail_to_pass that pass, 0 where one of pass_to_pass does not; 1 is a solved problem."""
    wanted, kept = problem.data["fail_to_pass"], problem.data["pass_to_pass"]
    return run.passed(wanted) / len(wanted) if run.passed(kept) == len(kept) else 0.0


def is_submitted(messages: Sequence[Message]) -> bool:
    """Return whether the episode ended with submit."""
    return any(call.name == SUBMIT and answer.ok for call, answer in answered_calls(messages))


@dataclass(frozen=True)
class Plan:
    """What the reference patch and the repository without an answer show of the hidden tests."""

    opened: frozenset[str]
    """Assertions whose values are not plain under the reference: they run inside the sandbox."""
    sites: Mapping[str, frozenset[str]]
    """The assertions that each hidden test reaches under the reference."""
    harmless: frozenset[str]
    """What was noted of the two: no cheat."""
    own: frozenset[str]
    """Classes whose operators the reference changes or brings: any answer writes them."""

    def flags(self, run: TestRun) -> list[str]:
        """Return why a run earns nothing until a person has looked at it; nothing for a clean one."""
        reached = {note for note in run.reached - self.harmless if not _is_of(note, self.own)}
        silent = {
            f"leaves out {site}"
            for name, result in run.results.items()
            if result.status == "passed"
            for site in self.sites.get(name, frozenset()) - result.sites
        }
        return sorted(reached | silent | ({"forges a planted test"} if run.is_forged else set()))


def run_hidden(problem: Problem, snapshot: Snapshot) -> TestRun:
    """Run the hidden tests on a state of the problem's repository."""
    return _run(problem, snapshot, plan_of(problem, snapshot.repository).opened)


def plan_of(problem: Problem, repository: Repository) -> Plan:
    """Return how the hidden tests of a problem are run and judged. Its runs are remembered."""
    empty = Snapshot(repository, {})
    try:
        gold = gold_snapshot(problem, repository)
    except GraderError:
        return Plan(frozenset(), {}, _run(problem, empty, frozenset()).reached, frozenset())
    opened: frozenset[str] = frozenset()
    for _ in range(MAX_ROUNDS):
        run = _run(problem, gold, opened)
        unheld = frozenset(site for result in run.results.values() for site in result.unheld)
        if unheld <= opened:
            break
        opened |= unheld
    sites = {name: result.sites for name, result in run.results.items()}
    harmless = run.reached | _run(problem, empty, opened).reached
    texts = ((repository.files.get(path, ""), text or "") for path, text in sorted(gold.changes.items()))
    return Plan(opened, sites, harmless, frozenset(name for before, after in texts for name in _changed(before, after)))


def _run(problem: Problem, snapshot: Snapshot, opened: frozenset[str]) -> TestRun:
    runner = problem.data.get("test_runner", "light")
    return run_tests(runner, graded(problem, snapshot), hidden_ids(problem), opened)


def _is_of(note: str, classes: frozenset[str]) -> bool:
    """Whether a note is of an operator of one of these classes: `has calc.Money.__eq__=0f3a`."""
    owner = note.removeprefix("has ").partition("=")[0].rpartition(".")[0]
    return note.startswith("has ") and any(owner.endswith(f".{name}") for name in classes)


@lru_cache(maxsize=512)
def _changed(before: str, after: str) -> frozenset[str]:
    """Return the classes of a text that are new in it, or have other bases, decorators or operators than before."""
    old = _classes(before)
    return frozenset(name for name, shape in _classes(after).items() if old.get(name) != shape)


def _classes(text: str) -> dict[str, list[str]]:
    try:
        tree = ast.parse(text)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return {}
    return {node.name: _shape(node) for node in ast.walk(tree) if isinstance(node, ast.ClassDef)}


def _shape(node: ast.ClassDef) -> list[str]:
    is_generated = bool(node.decorator_list)  # a dataclass: its fields make its operators
    parts = [*node.bases, *node.decorator_list]
    parts += [one for one in node.body if is_generated or getattr(one, "name", "") in OPERATORS]
    return [ast.dump(one) for one in parts]


def gold_snapshot(problem: Problem, repository: Repository) -> Snapshot:
    """Return the repository with the reference patch; raises GraderError where it does not apply."""
    try:
        return Snapshot(repository, _patched(repository, problem.answer))
    except PatchError as error:
        raise GraderError(f"problem {problem.problem_id}: its answer is no patch for its files: {error}") from None


@lru_cache(maxsize=1024)
def _patched(repository: Repository, patch: str) -> Mapping[str, str | None]:
    return apply_patch(repository.files, patch)
