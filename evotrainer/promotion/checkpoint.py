"""The checkpoint gate: is this checkpoint better than the incumbent on the named problems? Rounds of fresh attempts.

The null hypothesis is that the mean over the named problems of the difference in solve probability is at most `null`.
A round draws `round_attempts` fresh attempts at every problem on both arms and multiplies a bettor's wealth
(betting.py). After each round the gate promotes where wealth >= 1/alpha and the estimate is at least `min_estimate`;
from `futility_attempts` on it stops where the estimate + 2.1 standard errors lies below `futile_below`; at
`max_attempts` it stops undecided. Only the first of these is a claim, and only it spends error: stopping early never
does.

Assumed: attempts of different problems are independent and rows are fresh, that is drawn for this gate alone with
seeds that no earlier row had; rounds.py hands in lost attempts at their worst. Not assumed: equal difficulty, equal
effects, equal numbers of attempts, independence of the two arms at one problem.

Not claimed: anything about other problems (the certificate does that) or about the recipe (recipe.py).

A problem without a graded attempt on either arm holds the round, which is then not counted.
"""

import math
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from evotrainer.errors import EvidenceError
from evotrainer.evidence.score_table import ScoreTable, concatenate, correctness, paired_differences
from evotrainer.promotion import betting
from evotrainer.promotion.measures import MEASURES, ROUND_ATTEMPTS, Measure
from evotrainer.promotion.statistics import holds_by_round, mean_variances
from evotrainer.records import Condition, GateOutcome, Trajectory

Value = Callable[[Trajectory], float | None]

FUTILITY_ATTEMPTS, MAX_ATTEMPTS = 8, 64
FLOOR_ATTEMPTS = 8
FUTILITY_ERRORS = 2.1
MIN_PROBLEMS = 2
WORST_VARIANCE = 0.25
"""Variance of one attempt at a problem that is solved every second time."""

OUTCOMES: tuple[GateOutcome, ...] = ("open", "promoted", "futile", "harmful", "inconclusive")


@dataclass(frozen=True)
class Gate:
    """The test of the score, or of one limit. What is fixed before the first round follows from earlier rows alone."""

    alpha: float
    """This claim's share of the campaign's error budget."""
    stakes: tuple[float, ...]
    """Bets, one mixture for all problems and rounds."""
    min_estimate: float
    """Smallest estimate that is called an improvement: the noise floor."""
    futile_below: float
    """Difference that must remain possible, or the gate stops."""
    null: float = 0.0
    """The difference that must be beaten; -margin for non-inferiority."""
    max_attempts: int = MAX_ATTEMPTS
    can_drift: bool = False
    """Something may move an arm for a round: see statistics.py."""
    measure: Measure = MEASURES["mean"]
    value: Value = correctness
    """What it judges of an attempt."""
    condition: Condition | None = None
    """The limit that it tests; None of the score."""
    tables: tuple[tuple[ScoreTable, ScoreTable], ...] = ()
    """Of each round, candidate and incumbent."""
    held: tuple[str, ...] = ()
    """Problems that lost all attempts of the last round on one arm."""

    @property
    def attempts(self) -> int:
        """Attempts a problem on each arm that were planned so far."""
        return len(self.tables) * (1 if self.measure.is_greedy else ROUND_ATTEMPTS)

    @cached_property
    def differences(self) -> np.ndarray:
        """Rounds x problems, in [-1, 1]."""
        return np.array([paired_differences(*pair) for pair in self.tables])

    @cached_property
    def arms(self) -> list[ScoreTable]:
        """All values of the candidate, and of the incumbent."""
        return [concatenate(tables) for tables in zip(*self.tables, strict=True)]

    @property
    def log_wealth(self) -> float:
        """Log of the bettor's wealth; 0 before the first round."""
        return float(betting.log_wealth(self.differences, self.stakes, self.null)[-1]) if self.tables else 0.0

    @property
    def estimate(self) -> float | None:
        """Difference of the two arms' scores over all fresh rows."""
        return round(float((self.arms[0].means() - self.arms[1].means()).mean()), 12) if self.tables else None

    @property
    def standard_error(self) -> float:
        """SD of the estimate over new attempts at the same problems."""
        variance_N = sum(mean_variances(arm, WORST_VARIANCE) for arm in self.arms)
        return float(np.sqrt(np.sum(variance_N)) / self.differences.shape[1])

    @cached_property
    def outcome(self) -> GateOutcome:
        """What the rounds decide."""
        if not self.tables:
            return "open"
        index = judge(
            np.array([self.log_wealth]),
            np.array([self.estimate]),
            np.array([self.standard_error]),
            self.attempts,
            alpha=self.alpha,
            min_estimate=self.min_estimate,
            futile_below=self.futile_below,
            futility_attempts=1 if self.measure.is_greedy else FUTILITY_ATTEMPTS,
            max_attempts=self.max_attempts,
            null=self.null,
            means_RA=self.differences.mean(axis=1)[:, None] if self.can_drift else None,
        )[0]
        return OUTCOMES[index]

    def after(self, candidate: ScoreTable, incumbent: ScoreTable) -> "Gate":
        """Return the gate after one more round, whose fresh rows are the two tables; one that has ended stays."""
        if self.outcome != "open":
            return self
        held = tuple(sorted({*candidate.ungraded, *incumbent.ungraded}))
        return replace(self, held=held) if held else replace(self, tables=(*self.tables, (candidate, incumbent)))


def open_gate(
    screening: ScoreTable,
    alpha: float,
    *,
    min_floor: float = 0.0,
    max_attempts: int = MAX_ATTEMPTS,
    can_drift: bool = False,
    measure: str = "mean",
) -> Gate:
    """Return the gate that asks for an improvement, sized by earlier values of the incumbent.

    The noise floor f is that of `FLOOR_ATTEMPTS` attempts at these problems, or `min_floor` (the campaign's) where
    that is more; bets aim at 2f. A policy that never varies has no noise; the floor then is the smallest difference
    that those attempts can show. Of greedy answers problems are what is drawn: after one round the gate promotes or
    stops.
    """
    how, num_problems = MEASURES[measure], len(screening.problem_ids)
    if how.is_greedy:
        variance, per_round = screening.score * (1.0 - screening.score), 1
        floor = floor_of(variance, num_problems, 1)
    else:
        variance, per_round = sampling_variance(screening), ROUND_ATTEMPTS // how.per_value
        floor = max(floor_of(variance, num_problems, FLOOR_ATTEMPTS // how.per_value), min_floor)
    return Gate(
        alpha=alpha,
        stakes=betting.stakes(2.0 * floor, variance, per_round),
        min_estimate=floor,
        futile_below=math.inf if how.is_greedy else 2.0 * floor,
        max_attempts=1 if how.is_greedy else max_attempts,
        can_drift=can_drift and not how.is_greedy,
        measure=how,
    )


def open_limit(screening: ScoreTable, alpha: float, margin: float, *, max_attempts: int = MAX_ATTEMPTS) -> Gate:
    """Return the gate that asks whether a metric fell by less than `margin` (non-inferiority).

    `screening` and the rounds hold a metric in [0, 1] of which more is better; hand in 1 - x where less is better. The
    gate stops when it has become clear that the metric fell by more than half the margin.
    """
    if not 0.0 < margin < 1.0:
        raise EvidenceError(f"a margin of {margin} is none: give a loss between 0 and 1 that would be accepted")
    stakes = betting.stakes(margin, sampling_variance(screening), ROUND_ATTEMPTS)
    return Gate(alpha, stakes, -margin, -margin / 2.0, -margin, max_attempts)


def sampling_variance(table: ScoreTable) -> float:
    """Return the mean over problems of the variance of one attempt, p (1 - p); raises EvidenceError if unknown."""
    if len(table.problem_ids) < MIN_PROBLEMS:
        raise EvidenceError(
            f"{len(table.problem_ids)} problem(s) cannot carry a gate: evaluate at least {MIN_PROBLEMS}"
        )
    counts_N = (~np.isnan(table.values)).sum(axis=1)
    table.means()  # names a problem without a graded attempt
    if not (counts_N > 1).any():
        raise EvidenceError("one attempt a problem does not show the noise: evaluate with at least 2 attempts")
    return float(np.nanvar(table.values[counts_N > 1], axis=1, ddof=1).mean())


def floor_of(variance: float, num_problems: int, values: int = FLOOR_ATTEMPTS) -> float:
    """Return the noise floor at so many values a problem, not below what those can resolve."""
    noise = math.sqrt(2.0 * variance / (values * num_problems))
    return max(noise, resolution(num_problems, values))


def detectable_gain(num_problems: int, variance: float = WORST_VARIANCE) -> float:
    """Return the gain that the gate is sized for: twice the noise floor, shown in about four campaigns of five."""
    return 2.0 * floor_of(variance, num_problems)


def resolution(num_problems: int, attempts: int) -> float:
    """Return the smallest difference that this many attempts at each problem can show."""
    return 1.0 / (num_problems * attempts)


def judge(
    log_wealth: np.ndarray,
    estimate: np.ndarray,
    error: np.ndarray,
    attempts: int,
    *,
    alpha: float,
    min_estimate: np.ndarray | float,
    futile_below: np.ndarray | float,
    futility_attempts: int = FUTILITY_ATTEMPTS,
    max_attempts: int = MAX_ATTEMPTS,
    null: float = 0.0,
    means_RA: np.ndarray | None = None,
) -> np.ndarray:
    """Return indices into OUTCOMES for gates that all stand at `attempts`: the one rule, of gates and simulation.

    `means_RA`: differences of the R rounds, where something may move an arm for a round.
    """
    possible = estimate + FUTILITY_ERRORS * error
    is_promoted = (log_wealth >= -np.log(alpha)) & (estimate >= min_estimate)
    if means_RA is not None:
        is_promoted &= holds_by_round(means_RA - null, error * np.sqrt(len(means_RA)), alpha)
    is_stopped = (attempts >= futility_attempts) & (possible < futile_below)
    choices = [
        is_promoted,
        is_stopped & (possible < null),
        is_stopped,
        np.full(len(estimate), attempts >= max_attempts),
    ]
    return np.select(choices, [1, 3, 2, 4], default=0)
