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

A problem without a graded attempt on either arm holds the round: step() gives back the state with `held` set, the
missing attempts are run again and the whole round is handed in anew. A round is handed in by number, so that one
counted before a restart is refused and not counted twice.
"""

import math
from collections.abc import Sequence

import numpy as np
from pydantic import Field

from evotrainer.errors import EvidenceError
from evotrainer.evidence.score_table import ScoreTable, paired_differences
from evotrainer.promotion import betting
from evotrainer.promotion.measures import MEASURES, ROUND_ATTEMPTS
from evotrainer.promotion.noise import holds_by_round
from evotrainer.records import GateOutcome, Record

FUTILITY_ATTEMPTS, MAX_ATTEMPTS = 8, 64
FLOOR_ATTEMPTS = 8
FUTILITY_ERRORS = 2.1
MIN_PROBLEMS = 2
WORST_VARIANCE = 0.25
"""Variance of one attempt at a problem that is solved every second time."""

OUTCOMES: tuple[GateOutcome, ...] = ("open", "promoted", "futile", "harmful", "inconclusive")


class CheckpointDesign(Record):
    """What is fixed before the first round, from earlier rows alone."""

    problem_ids: tuple[str, ...]
    alpha: float = Field(gt=0, lt=1, description="this claim's share of the campaign's error budget")
    stakes: tuple[float, ...] = Field(description="bets, one mixture for all problems and rounds")
    null: float = Field(default=0.0, description="the difference that must be beaten; -margin for non-inferiority")
    min_estimate: float = Field(description="smallest estimate that is called an improvement: the noise floor")
    futile_below: float = Field(description="difference that must remain possible, or the gate stops")
    round_attempts: int = ROUND_ATTEMPTS
    futility_attempts: int = FUTILITY_ATTEMPTS
    max_attempts: int = MAX_ATTEMPTS
    can_drift: bool = Field(default=False, description="something may move an arm for a round: see noise.py")


class Tally(Record):
    """Graded attempts of one arm, problem by problem."""

    counts: tuple[int, ...]
    sums: tuple[float, ...]
    squares: tuple[float, ...]

    @property
    def means(self) -> np.ndarray:
        """Each problem's mean over all rounds."""
        return np.array(self.sums) / np.array(self.counts)

    def mean_variances(self) -> np.ndarray:
        """Return the sampling variance of each problem's mean; one attempt takes the mean variance of the others."""
        counts_N, sums_N = np.array(self.counts), np.array(self.sums)
        spread_N = np.maximum(np.array(self.squares) - sums_N**2 / counts_N, 0.0)
        repeated_N = counts_N > 1
        variance_N = spread_N / np.maximum(counts_N - 1, 1)
        variance_N[~repeated_N] = variance_N[repeated_N].mean() if repeated_N.any() else 0.25
        return variance_N / counts_N


class CheckpointState(Record):
    """A gate between two rounds. The wealth is a function of the differences and is not stored beside them."""

    design: CheckpointDesign
    differences: tuple[tuple[float, ...], ...] = Field(default=(), description="rounds x problems, in [-1, 1]")
    candidate: Tally | None = None
    incumbent: Tally | None = None
    outcome: GateOutcome = "open"
    held: tuple[str, ...] = Field(default=(), description="problems whose attempts must be run again in this round")

    @property
    def num_rounds(self) -> int:
        """Rounds counted so far: the number of the next one."""
        return len(self.differences)

    @property
    def attempts(self) -> int:
        """Attempts a problem on each arm that were planned so far."""
        return self.num_rounds * self.design.round_attempts

    @property
    def log_wealth(self) -> float:
        """Log of the bettor's wealth; 0 before the first round."""
        if not self.differences:
            return 0.0
        return float(betting.log_wealth(np.array(self.differences), self.design.stakes, self.design.null)[-1])

    @property
    def estimate(self) -> float | None:
        """Difference of the two arms' scores over all fresh rows."""
        if self.candidate is None or self.incumbent is None:
            return None
        return round(float((self.candidate.means - self.incumbent.means).mean()), 12)

    @property
    def standard_error(self) -> float | None:
        """SD of the estimate over new attempts at the same problems."""
        if self.candidate is None or self.incumbent is None:
            return None
        variance_N = self.candidate.mean_variances() + self.incumbent.mean_variances()
        return float(np.sqrt(variance_N.sum()) / len(variance_N))

    def bounds(self, alpha: float = 0.05) -> tuple[float, float]:
        """Return the confidence sequence of the mean difference: valid at every round at once."""
        return betting.confidence_sequence(np.array(self.differences), self.design.stakes, alpha)


def open_gate(
    screening: ScoreTable,
    alpha: float,
    *,
    min_floor: float = 0.0,
    max_attempts: int = MAX_ATTEMPTS,
    can_drift: bool = False,
    measure: str = "mean",
) -> CheckpointState:
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
    design = CheckpointDesign(
        problem_ids=screening.problem_ids,
        alpha=alpha,
        min_estimate=floor,
        futile_below=2.0 * floor,
        stakes=betting.stakes(2.0 * floor, variance, per_round),
        max_attempts=max_attempts,
        can_drift=can_drift,
    )
    once = {
        "futile_below": math.inf,
        "round_attempts": 1,
        "futility_attempts": 1,
        "max_attempts": 1,
        "can_drift": False,
    }
    return CheckpointState(design=design.model_copy(update=once) if how.is_greedy else design)


def open_limit(
    screening: ScoreTable, alpha: float, margin: float, *, max_attempts: int = MAX_ATTEMPTS
) -> CheckpointState:
    """Return the gate that asks whether a metric fell by less than `margin` (non-inferiority).

    `screening` and the rounds hold a metric in [0, 1] of which more is better; hand in 1 - x where less is better. The
    gate stops when it has become clear that the metric fell by more than half the margin.
    """
    if not 0.0 < margin < 1.0:
        raise EvidenceError(f"a margin of {margin} is none: give a loss between 0 and 1 that would be accepted")
    variance = sampling_variance(screening)
    return CheckpointState(
        design=CheckpointDesign(
            problem_ids=screening.problem_ids,
            alpha=alpha,
            null=-margin,
            min_estimate=-margin,
            futile_below=-margin / 2.0,
            stakes=betting.stakes(margin, variance, ROUND_ATTEMPTS),
            max_attempts=max_attempts,
        )
    )


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


def step(state: CheckpointState, number: int, candidate: ScoreTable, incumbent: ScoreTable) -> CheckpointState:
    """Return the state after round `number` (from 0), whose fresh rows are the two tables.

    Raises EvidenceError for a gate that has ended, a round out of order and tables of other problems. A problem whose
    attempts were all lost on one arm gives back the state with `held` set.
    """
    if state.outcome != "open":
        raise EvidenceError(f"this gate has ended ({state.outcome}): open another for another claim")
    if number != state.num_rounds:
        raise EvidenceError(
            f"round {number} was handed in, round {state.num_rounds} is due: rounds count once, in order"
        )
    for table in (candidate, incumbent):
        if table.problem_ids != state.design.problem_ids:
            odd = sorted(set(table.problem_ids) ^ set(state.design.problem_ids))
            raise EvidenceError(
                f"{len(odd)} problem(s) differ from the gate's (first: '{odd[0]}'): evaluate the same set"
            )
    held = tuple(sorted({*candidate.ungraded, *incumbent.ungraded}))
    if held:
        return state.model_copy(update={"held": held})
    counted = state.model_copy(
        update={
            "differences": (*state.differences, tuple(paired_differences(candidate, incumbent).tolist())),
            "candidate": _added(state.candidate, candidate),
            "incumbent": _added(state.incumbent, incumbent),
            "held": (),
        }
    )
    return counted.model_copy(update={"outcome": _outcome(counted)})


def judge(
    log_wealth: np.ndarray,
    estimate: np.ndarray,
    error: np.ndarray,
    attempts: int,
    *,
    alpha: float,
    min_estimate: np.ndarray,
    futile_below: np.ndarray,
    futility_attempts: int = FUTILITY_ATTEMPTS,
    max_attempts: int = MAX_ATTEMPTS,
    null: float = 0.0,
    means_RA: np.ndarray | None = None,
) -> np.ndarray:
    """Return indices into OUTCOMES for gates that all stand at `attempts`: the one rule, of step() and simulation.

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


def _outcome(state: CheckpointState) -> GateOutcome:
    design = state.design
    index = judge(
        np.array([state.log_wealth]),
        np.array([state.estimate]),
        np.array([state.standard_error]),
        state.attempts,
        alpha=design.alpha,
        min_estimate=np.array([design.min_estimate]),
        futile_below=np.array([design.futile_below]),
        futility_attempts=design.futility_attempts,
        max_attempts=design.max_attempts,
        null=design.null,
        means_RA=np.array(state.differences).mean(axis=1)[:, None] if design.can_drift else None,
    )[0]
    return OUTCOMES[index]


def _added(tally: Tally | None, table: ScoreTable) -> Tally:
    graded_NK = ~np.isnan(table.values)
    values_NK = np.where(graded_NK, table.values, 0.0)
    fresh = (graded_NK.sum(axis=1), values_NK.sum(axis=1), (values_NK**2).sum(axis=1))
    old: Sequence[Sequence[float]] = (tally.counts, tally.sums, tally.squares) if tally else ([0], [0], [0])
    counts, sums, squares = (tuple((np.array(a) + b).tolist()) for a, b in zip(old, fresh, strict=True))
    return Tally(counts=counts, sums=sums, squares=squares)
