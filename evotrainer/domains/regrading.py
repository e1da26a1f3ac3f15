"""Grading again: does the grader give one answer one grade?

Stored rows repeat answers by chance only (harness_plugins/score/grading.py reads those). Here a sample of an
evaluation's rows is graded a second time, by the grader itself, in a process of its own: nothing that the first grading
remembered is known there, and what depends on the process (hash seeds, addresses, clocks) comes out anew.

A grade that changes is the grader's doing, a failure of the second grading the machine's: it is counted apart.
"""

import multiprocessing
from collections.abc import Sequence
from concurrent.futures import BrokenExecutor, ProcessPoolExecutor
from dataclasses import dataclass

from evotrainer.campaign.seeds import derive_seed
from evotrainer.config import DomainConfig
from evotrainer.domains import create_grader
from evotrainer.errors import InfrastructureError
from evotrainer.records import Problem, Trajectory
from evotrainer.sandbox.sandbox import run_parallel


@dataclass(frozen=True)
class Regrading:
    """What came of it: rows graded twice, ids of those whose correctness or format changed, second gradings lost."""

    num_rows: int
    changed: tuple[str, ...]
    num_lost: int

    @property
    def metrics(self) -> dict[str, float]:
        """The numbers by the names that metrics.json uses; none where no second grading was tried."""
        if not self.num_rows and not self.num_lost:
            return {}
        counted = {"regraded_rows": float(self.num_rows), "regraded_lost": float(self.num_lost)}
        return counted | ({"regraded_share_changed": len(self.changed) / self.num_rows} if self.num_rows else {})


def choose_rows(rows: Sequence[Trajectory], count: int, campaign_seed: int) -> list[Trajectory]:
    """Return at most `count` graded rows, drawn by the campaign's seed and in the order of their ids."""
    graded = [row for row in rows if row.error is None]
    drawn = sorted(graded, key=lambda row: derive_seed(campaign_seed, "regrading", row.trajectory_id))[:count]
    return sorted(drawn, key=lambda row: row.trajectory_id)


def regrade(rows: Sequence[Trajectory], problems: Sequence[Problem], domain: DomainConfig) -> Regrading:
    """Grade these rows again in another process; raises InfrastructureError where that process cannot be had."""
    if not rows:
        return Regrading(0, (), 0)
    by_id = {problem.problem_id: problem for problem in problems}
    pairs = [(by_id[row.problem_id], row) for row in rows]
    with one_process() as pool:
        try:
            grades = pool.submit(grade_again, domain, pairs).result()
        except (BrokenExecutor, OSError) as error:
            raise InfrastructureError(f"rows could not be graded again: {error}") from error
    counted = [(row, grade) for row, grade in zip(rows, grades, strict=True) if grade is not None]
    changed = tuple(row.trajectory_id for row, grade in counted if grade != (row.correct, row.format_ok))
    return Regrading(len(counted), changed, len(grades) - len(counted))


def one_process() -> ProcessPoolExecutor:
    """Return a new process that shares no memory with this one."""
    return ProcessPoolExecutor(1, mp_context=multiprocessing.get_context("spawn"))


def grade_again(domain: DomainConfig, pairs: Sequence[tuple[Problem, Trajectory]]) -> list[tuple[float, bool] | None]:
    """Return correctness and format of each row; None where grading failed."""
    grader = create_grader(domain)

    def grade(pair: tuple[Problem, Trajectory]) -> tuple[float, bool] | None:
        problem, row = pair
        try:
            grade = grader.grade(problem, row.messages, row.stop_reason)
        except InfrastructureError:
            return None
        return grade.correct, grade.format_ok

    return run_parallel(grade, pairs) if grader.waits_for_sandbox else [grade(pair) for pair in pairs]
