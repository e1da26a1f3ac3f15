"""From the messages of an episode to the hidden tests on what it made: shared by the grader and the audit."""

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from functools import partial, reduce

from evotrainer.domains.swe.checkout.disk_quota import in_the_way
from evotrainer.domains.swe.checkout.opening import open_repository
from evotrainer.domains.swe.checkout.patching import PatchError, apply_patch, changed_paths
from evotrainer.domains.swe.checkout.repository import Repository
from evotrainer.domains.swe.checkout.snapshot import Snapshot
from evotrainer.domains.swe.checkout.working_copy import WorkingCopy
from evotrainer.domains.swe.grading.strict_tests import strict
from evotrainer.domains.swe.runners import TestRun, joined, run_tests
from evotrainer.domains.swe.runners.test_paths import is_helper, is_protected
from evotrainer.domains.swe.tools.calls import SUBMIT
from evotrainer.domains.swe.tools.replay import answered_calls, replay
from evotrainer.errors import GraderError
from evotrainer.records import Message, Problem

RunTests = Callable[[Snapshot, Sequence[str], bool], TestRun]
"""Runs tests on a snapshot, in a process of their own or beside the code that they test."""


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


def graded(problem: Problem, snapshot: Snapshot, is_apart: bool = False) -> Snapshot:
    """Return the state that the hidden tests run on: tests and their configuration as before, hidden tests over them.

    A protected file that the reference patch itself changes is part of the answer and stays as the policy left it. What
    the repository has to assert with counts as protected. What stands where one of the tests' folders must be, or makes
    a folder of a test file, gives way.
    """
    answer, hidden = gold_paths(problem), hidden_files(problem, snapshot.repository, is_apart)
    helpers = {path for path in snapshot.changes if is_helper(path) and path in snapshot.repository.files}
    put_back = {path for path in snapshot.changes if is_protected(path) or path in helpers} - answer
    own = {path for path, text in snapshot.changes.items() if text is not None} - put_back - hidden.keys()
    judges = {path for path in put_back if path in snapshot.repository.files} | hidden.keys()
    return snapshot.restored(put_back | in_the_way(own, judges)).with_hidden(hidden)


def hidden_files(problem: Problem, repository: Repository, is_apart: bool = False) -> dict[str, str | None]:
    """Return the hidden test files, path -> text: made strict (strict_tests.py) where they are written out and run
    beside the code that they test, else as they are. Raises GraderError where they are a patch that does not apply.
    """
    if patch := problem.data.get("test_patch"):
        try:
            return apply_patch(repository.files, patch)
        except PatchError as error:
            raise GraderError(f"problem {problem.problem_id}: its test_patch does not fit: {error}") from None
    return {path: text if is_apart else strict(text) for path, text in problem.data["hidden_tests"].items()}


def share_passed(problem: Problem, run: TestRun) -> float:
    """Return the share of fail_to_pass that pass, 0 where one of pass_to_pass does not; 1 is a solved problem."""
    wanted, kept = problem.data["fail_to_pass"], problem.data["pass_to_pass"]
    return run.passed(wanted) / len(wanted) if run.passed(kept) == len(kept) else 0.0


def is_submitted(messages: Sequence[Message]) -> bool:
    """Return whether the episode ended with submit."""
    return any(call.name == SUBMIT and answer.ok for call, answer in answered_calls(messages))


def run_hidden(problem: Problem, snapshot: Snapshot) -> TestRun:
    """Run the hidden tests on a state of the problem's repository, those apart from it that can be."""
    return run_split(problem, snapshot, tests_apart(problem, snapshot.repository), partial(run_tests, _runner(problem)))


def run_split(problem: Problem, snapshot: Snapshot, apart: Collection[str], run: RunTests) -> TestRun:
    """Run the hidden tests `apart` in a process of their own, and then the others beside the code under test."""
    names = hidden_ids(problem)
    parts = [(True, [name for name in names if name in apart]), (False, [name for name in names if name not in apart])]
    return reduce(joined, (run(graded(problem, snapshot, where), some, where) for where, some in parts if some))


def runs_apart(problem: Problem, repository: Repository) -> bool:
    """Return whether all hidden tests run in a process of their own."""
    return len(tests_apart(problem, repository)) == len(hidden_ids(problem))


def tests_apart(problem: Problem, repository: Repository) -> frozenset[str]:
    """Return the hidden tests that run in a process of their own: those that the reference patch passes there.

    Tests that put objects of theirs into the code under test, or look at more than it answers, may fail there: they
    stay beside it. So do all where the reference does not pass the two parts. Without a reference all run apart.
    """
    names, run = hidden_ids(problem), partial(run_tests, _runner(problem))
    try:
        gold = gold_snapshot(problem, repository)
    except GraderError:
        return frozenset(names)
    results = run_split(problem, gold, names, run).results
    apart = frozenset(name for name in names if results[name].status == "passed")
    return apart if share_passed(problem, run_split(problem, gold, apart, run)) == 1 else frozenset()


def _runner(problem: Problem) -> str:
    return problem.data.get("test_runner", "light")


def gold_snapshot(problem: Problem, repository: Repository) -> Snapshot:
    """Return the repository with the reference patch; raises GraderError where it does not apply."""
    try:
        return Snapshot(repository, apply_patch(repository.files, problem.answer))
    except PatchError as error:
        raise GraderError(f"problem {problem.problem_id}: its answer is no patch for its files: {error}") from None


def gold_paths(problem: Problem) -> frozenset[str]:
    """Return the paths that the reference patch changes."""
    return changed_paths(problem.answer)
