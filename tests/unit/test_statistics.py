"""What the statistics say of bad and of degenerate input: a clear error or a stated answer, never a silent number."""

import numpy as np
import pytest

from evotrainer.errors import EvidenceError
from evotrainer.evidence.score_table import ScoreTable, tabulate
from evotrainer.promotion.statistics import compare, mean_interval, noise_floor, wilcoxon_p
from evotrainer.records import Trajectory
from tests.plain_records import plain_row

DRAWS = {"samples": 500, "confidence": 0.95, "seed": 1}
NAN = float("nan")


def row(problem: str, attempt: int, correct: float | None, error: str | None = None) -> Trajectory:
    return plain_row(split="validation", problem_id=problem, attempt=attempt, correct=correct, error=error)


def scores(*rows: list[float]) -> ScoreTable:
    return ScoreTable(tuple(f"p{i}" for i in range(len(rows))), np.array(rows))


def test_rows_become_a_table_in_the_order_of_problems_and_attempts() -> None:
    table = tabulate([row("b", 1, 0.0), row("a", 0, 1.0), row("b", 0, 1.0), row("a", 1, 1.0)])
    assert table.problem_ids == ("a", "b")
    assert table.values.tolist() == [[1.0, 1.0], [1.0, 0.0]]
    assert table.score == 0.75


def test_a_lost_attempt_is_missing_and_not_wrong() -> None:
    table = tabulate([row("a", 0, 1.0), row("a", 1, None, "GraderError"), row("b", 0, 0.0), row("b", 1, 1.0)])
    assert table.score == 0.75
    assert table.error_share == 0.25
    assert table.ungraded == []


def test_a_problem_that_lost_all_attempts_has_no_score() -> None:
    table = tabulate([row("a", 0, 1.0), row("b", 0, None, "GraderError")])
    assert table.ungraded == ["b"]
    with pytest.raises(EvidenceError, match="problem 'b' has no graded attempt"):
        _ = table.score
    with pytest.raises(EvidenceError, match="problem 'b' has no graded attempt"):
        noise_floor(table)


@pytest.mark.parametrize(
    ("rows", "message"),
    [
        ([], "no evaluation rows"),
        ([row("a", 0, 1.0), row("a", 0, 1.0)], "attempt 0 at 'a' is there twice"),
        ([row("a", 0, 1.0), row("a", 1, 1.0), row("b", 0, 1.0)], "attempt 1 at problem 'b' is missing"),
        ([row("a", 0, NAN)], "has correct = nan"),
        ([row("a", 0, None)], "has correct = None"),
        ([row("a", 0, 1.5)], "has correct = 1.5"),
    ],
)
def test_rows_that_cannot_be_scored_are_named(rows: list[Trajectory], message: str) -> None:
    with pytest.raises(EvidenceError, match=message):
        tabulate(rows)


def test_unpaired_problems_are_refused_and_named() -> None:
    one, other = ScoreTable(("a", "b"), np.ones((2, 2))), ScoreTable(("a", "c"), np.ones((2, 2)))
    with pytest.raises(EvidenceError, match="2 problem.s. are in one evaluation only .first: 'b'."):
        compare(one, other, against="v0", metric="score", **DRAWS)


def test_one_problem_cannot_carry_an_interval() -> None:
    with pytest.raises(EvidenceError, match="evaluate at least 2"):
        mean_interval(np.array([0.5]), **DRAWS)


def test_what_is_no_number_is_refused() -> None:
    with pytest.raises(EvidenceError, match="not a number"):
        mean_interval(np.array([0.5, NAN]), **DRAWS)
    with pytest.raises(EvidenceError, match="not a number"):
        wilcoxon_p(np.array([0.5, NAN]))


def test_a_small_p_is_never_zero() -> None:
    assert 0 < wilcoxon_p(np.linspace(0.1, 1.0, 400)) < 1e-60


def test_a_bound_that_is_zero_is_not_above_zero() -> None:
    rounding_error = 0.1 + 0.2 - 0.3
    interval = mean_interval(np.full(12, rounding_error), **DRAWS)
    assert rounding_error > 0
    assert (interval.low, interval.high) == (0.0, 0.0)


def test_one_attempt_a_problem_leaves_the_noise_floor_unknown() -> None:
    assert noise_floor(scores([1.0], [0.0])) is None


def test_a_problem_with_one_graded_attempt_takes_the_mean_variance() -> None:
    # s^2 = 0.5 for the first problem (two attempts), hence also for the second (one attempt).
    assert noise_floor(scores([1.0, 0.0], [1.0, NAN])) == pytest.approx(np.sqrt(2 * (0.5 / 2 + 0.5)) / 2)
