"""Scores of one version as a table: problems x attempts, read from evaluation rows.

A problem's value is the mean of its graded attempts, a score the mean over problems. NaN is an attempt that was lost to
an infrastructure error, never a wrong answer.

Shapes: N problems, K attempts, V tables.
"""

import itertools
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from operator import attrgetter

import numpy as np

from evotrainer.errors import EvidenceError
from evotrainer.records import Trajectory

SAMPLED_STEP, GREEDY_STEP = 0, 1
"""Steps of the rows of an evaluation: its sampled attempts, and the greedy one."""


@dataclass(frozen=True, eq=False)
class ScoreTable:
    """Scores in [0, 1] of one version; NaN is an attempt lost to an infrastructure error, never a wrong answer."""

    problem_ids: tuple[str, ...]
    """Ascending, so that equal sets of problems are equal tuples and rows pair up."""
    values: np.ndarray
    """Shape N x K."""

    @property
    def num_attempts(self) -> int:
        """Attempts planned for each problem, K."""
        return self.values.shape[1]

    @property
    def error_share(self) -> float:
        """Share of attempts lost to infrastructure errors."""
        return float(np.isnan(self.values).mean())

    @property
    def ungraded(self) -> list[str]:
        """Problems none of whose attempts was graded: they have no value, and the score none until they are re-run."""
        return [self.problem_ids[index] for index in np.flatnonzero(np.isnan(self.values).all(axis=1))]

    def means(self) -> np.ndarray:
        """Return each problem's mean over graded attempts; raises EvidenceError if a problem has none."""
        if self.ungraded:
            raise EvidenceError(f"problem '{self.ungraded[0]}' has no graded attempt: run its attempts again")
        return np.nanmean(self.values, axis=1)

    @property
    def score(self) -> float:
        """Avg@k: the mean over problems of their means."""
        return round(float(self.means().mean()), 12)

    @property
    def pass_at_k(self) -> float:
        """The share of problems with at least one right attempt."""
        return round(float((np.nan_to_num(self.values).max(axis=1) >= 1.0).mean()), 12)


correctness: Callable[[Trajectory], float | None] = attrgetter("correct")
"""The value that scores are means of; None where the attempt was lost."""


def tabulate(rows: Sequence[Trajectory], value: Callable[[Trajectory], float | None] = correctness) -> ScoreTable:
    """Return the table of `value` over evaluation rows, problems in the order of their ids.

    Raises EvidenceError for no rows, an attempt that is missing or there twice, and a value that is no number in
    [0, 1]; a row with `error` set is a lost attempt.
    """
    cells: dict[tuple[str, int], float] = {}
    for row in rows:
        if (row.problem_id, row.attempt) in cells:
            raise EvidenceError(f"attempt {row.attempt} at '{row.problem_id}' is there twice: {row.trajectory_id}")
        cells[row.problem_id, row.attempt] = _graded(row, value(row))
    if not cells:
        raise EvidenceError("no evaluation rows: nothing to score")
    problem_ids = sorted({problem for problem, _ in cells})
    attempts = sorted({attempt for _, attempt in cells})
    for key in itertools.product(problem_ids, attempts):
        if key not in cells:
            raise EvidenceError(f"attempt {key[1]} at problem '{key[0]}' is missing: evaluate the version again")
    values_NK = np.array([[cells[problem, attempt] for attempt in attempts] for problem in problem_ids])
    return ScoreTable(tuple(problem_ids), values_NK)


def _graded(row: Trajectory, value: float | None) -> float:
    if row.error is not None:
        return np.nan
    if value is None or not 0.0 <= value <= 1.0:
        raise EvidenceError(f"trajectory '{row.trajectory_id}' has correct = {value}: expected 0 to 1")
    return value


def concatenate(tables: Sequence[ScoreTable]) -> ScoreTable:
    """Return all attempts of several evaluations in one table; raises EvidenceError where problems differ."""
    for table in tables[1:]:
        require_same_problems(tables[0], table)
    return ScoreTable(tables[0].problem_ids, np.concatenate([table.values for table in tables], axis=1))


def paired_differences(table: ScoreTable, other: ScoreTable) -> np.ndarray:
    """Return d_N = mean of `table` - mean of `other`, problem by problem; raises EvidenceError if problems differ."""
    require_same_problems(table, other)
    return np.round(table.means() - other.means(), 12)


def require_same_problems(table: ScoreTable, other: ScoreTable) -> None:
    """Raise EvidenceError where the problems of two tables differ, naming the first that has no partner."""
    if table.problem_ids != other.problem_ids:
        odd = sorted(set(table.problem_ids) ^ set(other.problem_ids))
        raise EvidenceError(f"{len(odd)} problem(s) are in one evaluation only (first: '{odd[0]}'): pair equal sets")


def lost_share(rows: Sequence[Trajectory]) -> float:
    """Return the share of all draws, those that were drawn again among them, that infrastructure lost."""
    lost = sum(len(row.extra.get("lost", [])) + (row.error is not None) for row in rows)
    return lost / (sum(len(row.extra.get("lost", [])) for row in rows) + len(rows)) if rows else 0.0
