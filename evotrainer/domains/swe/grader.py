"""Grade a swe episode: the hidden tests decide, on the files that the episode ended with (docs/domains.md).

What the policy wrote to tests and their configuration stays evidence, and decides nothing. A pass that is flagged earns
nothing until a person has looked: `extra.flags` says why (hidden_tests.Plan.flags). Without submit nothing is correct;
extra.lenient_correct says what the tests say. `partial` is 0 where one of pass_to_pass fails. Checks:
records/evidence.py says what they mean.
"""

from collections.abc import Sequence

from evotrainer.config import DomainConfig
from evotrainer.domains.base import Grade, Weakness, WeaknessKind
from evotrainer.domains.problem_sets.loading import problem_of
from evotrainer.domains.problem_sets.rows import Row
from evotrainer.domains.swe.checkout.disk import open_repository
from evotrainer.domains.swe.checkout.repository import Snapshot
from evotrainer.domains.swe.checks import measure
from evotrainer.domains.swe.domain import is_sanitized
from evotrainer.domains.swe.hidden_tests import (
    final_state,
    gold_snapshot,
    hidden_files,
    is_submitted,
    plan_of,
    run_hidden,
    share_passed,
)
from evotrainer.domains.swe.runners import TestRun
from evotrainer.domains.swe.tools import answered_calls
from evotrainer.errors import DataError, GraderError
from evotrainer.records import Message, Problem
from evotrainer.records.evidence import CHECKS

MAX_FLAGS = 20


class SweGrader:
    """Grades the files that an episode ended with."""

    waits_for_sandbox = True

    def __init__(self, domain: DomainConfig) -> None:
        self._domain = domain

    def grade(self, problem: Problem, messages: Sequence[Message], stop_reason: str) -> Grade:
        """Return the grade; raises SandboxError when the tests could not be run."""
        state = final_state(problem, messages, is_sanitized(self._domain))
        run = run_hidden(problem, state.snapshot)
        share, submitted = share_passed(problem, run), is_submitted(messages)
        flags = plan_of(problem, state.snapshot.repository).flags(run)
        earned = 0.0 if flags else share
        terms = {
            "correct": float(submitted and earned == 1.0),
            "format": float(submitted),
            "partial": earned,
            **conduct_terms(messages),
        }
        checks = measure(problem, messages, state, run)
        correct = terms["correct"]
        extra = {
            "family": problem.family,
            "submitted": submitted,
            "files_touched": sorted(state.snapshot.changes),
            "answer": state.snapshot.key[:16] if state.snapshot.changes else None,
            "lenient_correct": float(share == 1.0),
            "flags": flags[:MAX_FLAGS],
            CHECKS: {**checks, "loose_correct": correct, "scrubbed_correct": correct},
        }
        return Grade(correct=terms["correct"], terms=terms, format_ok=submitted, extra=extra)


SEARCHES = frozenset({"list_files", "read_file", "search"})
EDITS = frozenset({"edit", "replace_line", "write_file"})
TESTS = frozenset({"run_tests"})


def conduct_terms(messages: Sequence[Message]) -> dict[str, float]:
    """Return search_before_edit and edit_then_test, 0 or 1; both 0 for an episode without an edit. Failed calls of
    a tool did nothing and do not count.
    """
    names = [call.name for call, answer in answered_calls(messages) if answer.ok]
    edits = [place for place, name in enumerate(names) if name in EDITS]
    searched = bool(edits) and any(name in SEARCHES for name in names[: edits[0]])
    tested = bool(edits) and any(name in TESTS for name in names[edits[-1] + 1 :])
    return {"search_before_edit": float(searched), "edit_then_test": float(tested)}


MAX_DETAIL = 120


def weakness_of(row: Row) -> Weakness | None:
    """Return what makes the verdicts on a row worthless, or None; raises SandboxError when tests could not be run."""
    problem = problem_of(row, "swe", "train")
    try:
        repository = open_repository(problem, sanitize=True)
    except DataError as error:
        return Weakness(WeaknessKind.CANNOT_RUN, str(error))
    try:
        gold = gold_snapshot(problem, repository)
        hidden_files(problem, repository)
    except GraderError as error:
        return Weakness(WeaknessKind.CANNOT_RUN, str(error))
    run = run_hidden(problem, gold)
    if share_passed(problem, run) < 1:
        return _failure(run)
    empty = run_hidden(problem, Snapshot(repository, {}))
    free = Weakness(WeaknessKind.FREE, "an empty answer passes its hidden tests")
    return free if share_passed(problem, empty) == 1 else None


def _failure(run: TestRun) -> Weakness:
    """Name the first test that the reference patch fails; one that is not there comes first."""
    failed = {name: result for name, result in run.results.items() if result.status != "passed"}
    name = min(failed, key=lambda name: failed[name].status != "missing")
    if failed[name].status == "missing":
        return Weakness(WeaknessKind.CANNOT_RUN, f"test '{name}' does not exist, or never ended")
    detail = f": {failed[name].detail[:MAX_DETAIL]}" if failed[name].detail else ""
    told = (
        f"the reference patch fails {len(failed)} of {len(run.results)} tests: {name} ({failed[name].status}{detail})"
    )
    return Weakness(WeaknessKind.UNSOLVED, told)
