"""Whether the verdicts on a swe row can be believed: its reference patch is graded as an answer is, and so is none.

With the product's own repositories, patches and runners: what fails here would fail in every episode.
"""

from evotrainer.domains.base import Weakness, WeaknessKind
from evotrainer.domains.problem_sets.loading import problem_of
from evotrainer.domains.problem_sets.rows import Row
from evotrainer.domains.swe.checkout.opening import open_repository
from evotrainer.domains.swe.checkout.snapshot import Snapshot
from evotrainer.domains.swe.grading.hidden_tests import gold_snapshot, hidden_files, run_hidden, share_passed
from evotrainer.domains.swe.runners import TestRun
from evotrainer.errors import DataError, GraderError
from evotrainer.records import Problem

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
    if not _is_solved(problem, run):
        return _failure(run)
    empty = run_hidden(problem, Snapshot(repository, {}))
    free = Weakness(WeaknessKind.FREE, "an empty answer passes its hidden tests")
    return free if _is_solved(problem, empty) else None


def _is_solved(problem: Problem, run: TestRun) -> bool:
    return share_passed(problem, run) == 1


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
