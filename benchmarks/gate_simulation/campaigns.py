"""Simulated campaigns: the checkpoint gate and the rules it is measured against, many campaigns at once.

A campaign starts from drawn solve probabilities; each version is the incumbent with a known change of its mean; a rule
sees simulated attempts only and promotes or not. The rules:

    greedy       promote if Avg@8 is higher than the incumbent's stored Avg@8
    bootstrap    the paired 95% percentile interval over problems lies above 0 (per comparison, no budget)
    best of 8    the best of 8 equal checkpoints by its Avg@8, then a paired t interval on those same rows
    gate         checkpoint.py, in rounds

Every version also has its 8 screening attempts, the Avg@8 that is shown; they are not counted as the gate's.

Shapes: A campaigns, N problems, G stakes.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal, Protocol

import numpy as np
from scipy import stats

from benchmarks.gate_simulation.score_models import ScoreModel, shifted
from evotrainer.promotion import betting
from evotrainer.promotion.checkpoint import FLOOR_ATTEMPTS, MAX_ATTEMPTS, OUTCOMES, ROUND_ATTEMPTS, judge
from evotrainer.promotion.statistics import percentile_bounds, resample

Attempts = Callable[[np.ndarray, int, bool], np.ndarray]
"""(indices of running gates, round, whether it is the candidate) -> solved attempts, running x N."""


@dataclass(frozen=True)
class Versions:
    """What a campaign tries: true changes of the mean, with their shares."""

    name: str
    num_versions: int
    changes: tuple[float, ...] = (0.0,)
    shares: tuple[float, ...] | None = None
    """Equal where None."""
    unit: Literal["floors", "points"] = "floors"
    """Of `changes`: true noise floors at 8 attempts, or percentage points."""
    jitter: float = 0.0
    """SD by which single problems move besides, in logits: another policy of the same mean."""
    from_start: bool = False
    """Changes are relative to the first policy and not to the incumbent: seeds of one recipe."""


@dataclass(frozen=True)
class SimulatedVerdict:
    """One version under one rule in A campaigns; attempts are per problem, both arms together."""

    is_promoted: np.ndarray
    attempts: np.ndarray


@dataclass(frozen=True)
class SimulatedCandidate:
    """One version in A campaigns: true probabilities, for a rule to draw attempts from, and screening rows; A x N."""

    rng: np.random.Generator
    candidate: np.ndarray
    incumbent: np.ndarray
    seen: np.ndarray
    """Solved attempts of 8, the candidate's."""
    stored: np.ndarray
    """Solved attempts of 8, the incumbent's."""


class Rule(Protocol):
    """Decides about one version in A campaigns at once."""

    @property
    def name(self) -> str:
        """How tables call the rule."""
        ...

    def decide(self, trial: SimulatedCandidate) -> SimulatedVerdict:
        """Return what the rule does and what it paid beyond the screening attempts."""
        ...


@dataclass(frozen=True)
class Greedy:
    """Any higher score on the rows of the screening."""

    name: str = "greedy"

    def decide(self, trial: SimulatedCandidate) -> SimulatedVerdict:
        """Promote where Avg@8 is higher."""
        return _unpaid(trial.seen.sum(axis=1) > trial.stored.sum(axis=1))


@dataclass(frozen=True)
class Bootstrap:
    """Lower bound of the paired percentile interval above 0."""

    name: str = "per-comparison bootstrap 95%"
    samples: int = 1000

    def decide(self, trial: SimulatedCandidate) -> SimulatedVerdict:
        """Promote where the interval lies above 0."""
        differences_AN = ((trial.seen - trial.stored) / FLOOR_ATTEMPTS).astype(float)
        means_AB = resample(differences_AN, samples=self.samples, seed=int(trial.rng.integers(2**31)))
        return _unpaid(percentile_bounds(means_AB, 0.95)[0] > 1e-6)


@dataclass(frozen=True)
class BestCheckpoint:
    """Paired t on the screening rows of the best of `checkpoints` checkpoints of one solve probability."""

    name: str = "best of 8 checkpoints, paired t 95%"
    checkpoints: int = 8

    def decide(self, trial: SimulatedCandidate) -> SimulatedVerdict:
        """Promote where the two-sided interval lies above 0."""
        best_AN = trial.seen
        for _ in range(self.checkpoints - 1):
            other_AN = trial.rng.binomial(FLOOR_ATTEMPTS, trial.candidate)
            is_better_A = other_AN.sum(axis=1) > best_AN.sum(axis=1)
            best_AN = np.where(is_better_A[:, None], other_AN, best_AN)
        return _unpaid(_t_values(best_AN - trial.stored) > stats.t.ppf(0.975, trial.seen.shape[1] - 1))


@dataclass(frozen=True)
class Gate:
    """The sequential checkpoint gate, sized by the incumbent's stored rows."""

    alpha: float
    name: str = "gate"
    max_attempts: int = MAX_ATTEMPTS
    can_drift: bool = False

    def decide(self, trial: SimulatedCandidate) -> SimulatedVerdict:
        """Promote where the gate does; a version that does not screen higher is not tested, as in a campaign."""
        tested = np.flatnonzero(trial.seen.sum(axis=1) > trial.stored.sum(axis=1))
        arms = {True: trial.candidate[tested], False: trial.incumbent[tested]}

        def attempts(running: np.ndarray, round_number: int, is_candidate: bool) -> np.ndarray:
            return trial.rng.binomial(ROUND_ATTEMPTS, arms[is_candidate][running])

        outcome, used = run_gates(
            attempts,
            screening_variance(trial.stored[tested]),
            trial.stored.shape[1],
            self.alpha,
            self.max_attempts,
            self.can_drift,
        )
        is_promoted_A, attempts_A = np.zeros(len(trial.seen), dtype=bool), np.zeros(len(trial.seen))
        is_promoted_A[tested], attempts_A[tested] = outcome == OUTCOMES.index("promoted"), 2.0 * used
        return SimulatedVerdict(is_promoted_A, attempts_A)


def run_gates(
    attempts: Attempts,
    variance_A: np.ndarray,
    num_problems: int,
    alpha: float,
    max_attempts: int = MAX_ATTEMPTS,
    can_drift: bool = False,
) -> tuple[np.ndarray, np.ndarray]:
    """Return outcome (index into OUTCOMES) and attempts on each arm of A gates: step() on many gates at once."""
    floor_A = _floor(variance_A, num_problems)
    stakes_AG = np.array(
        [
            betting.stakes(2.0 * floor, variance, ROUND_ATTEMPTS)
            for floor, variance in zip(floor_A, variance_A, strict=True)
        ]
    )
    values = np.arange(-ROUND_ATTEMPTS, ROUND_ATTEMPTS + 1)
    growth_AGD = np.log1p(stakes_AG[..., None] * values / ROUND_ATTEMPTS)
    outcome_A, used_A = np.zeros(len(variance_A), dtype=int), np.zeros(len(variance_A))
    log_wealth_AG = np.zeros_like(stakes_AG)
    sums = {arm: np.zeros((len(variance_A), num_problems), dtype=np.float32) for arm in (True, False)}
    running = np.arange(len(variance_A))
    means_RA = np.zeros((0, len(variance_A)))
    round_number = 0
    while len(running):
        solved = {arm: attempts(running, round_number, arm) for arm in (True, False)}
        differences = (solved[True] - solved[False]).astype(np.int8)
        seen_AD = np.stack([(differences == value).sum(axis=1) for value in values], axis=1)
        log_wealth_AG[running] += np.einsum("ad,agd->ag", seen_AD, growth_AGD[running])
        for arm, counts in solved.items():
            sums[arm][running] += counts
        round_means_A = np.zeros(len(variance_A))
        round_means_A[running] = differences.mean(axis=1) / ROUND_ATTEMPTS
        means_RA = np.vstack([means_RA, round_means_A])
        round_number += 1
        used = round_number * ROUND_ATTEMPTS
        estimate, error = _estimates(sums[True][running], sums[False][running], used)
        outcome = judge(
            betting.mixed(log_wealth_AG[running]),
            estimate,
            error,
            used,
            alpha=alpha,
            min_estimate=floor_A[running],
            futile_below=2.0 * floor_A[running],
            max_attempts=max_attempts,
            means_RA=means_RA[:, running] if can_drift else None,
        )
        outcome_A[running], used_A[running] = outcome, used
        running = running[outcome == 0]
    return outcome_A, used_A


@dataclass(frozen=True)
class CampaignRecord:
    """What A campaigns of one rule came to."""

    promotions: np.ndarray
    false_promotions: np.ndarray
    """Promotions of versions that are truly no better than their incumbent."""
    attempts: np.ndarray
    """A problem and version, both arms, beyond screening."""
    gain: np.ndarray
    """True mean of the final incumbent minus that of the first."""
    floor: np.ndarray
    """True noise floor of the first policy at 8 attempts."""


def simulate(
    model: ScoreModel, versions: Versions, rule: Rule, campaigns: int, rng: np.random.Generator
) -> CampaignRecord:
    """Return the records of `campaigns` campaigns under one rule."""
    first_AN = incumbent_AN = model.draw(rng, campaigns)
    stored_AN = rng.binomial(FLOOR_ATTEMPTS, incumbent_AN)
    floor_A = _floor((incumbent_AN * (1.0 - incumbent_AN)).mean(axis=1), model.num_problems)
    unit_A = floor_A if versions.unit == "floors" else np.full(campaigns, 0.01)
    promotions_A, false_A, attempts_A = np.zeros((3, campaigns))
    for _ in range(versions.num_versions):
        change_A = rng.choice(versions.changes, size=campaigns, p=versions.shares) * unit_A
        jitter_AN = rng.normal(0.0, versions.jitter, incumbent_AN.shape) if versions.jitter else None
        candidate_AN = shifted(first_AN if versions.from_start else incumbent_AN, change_A, jitter_AN)
        seen_AN = rng.binomial(FLOOR_ATTEMPTS, candidate_AN)
        found = rule.decide(SimulatedCandidate(rng, candidate_AN, incumbent_AN, seen_AN, stored_AN))
        promotions_A += found.is_promoted
        false_A += found.is_promoted & (change_A <= 0)
        attempts_A += found.attempts / versions.num_versions
        incumbent_AN = np.where(found.is_promoted[:, None], candidate_AN, incumbent_AN)
        stored_AN = np.where(found.is_promoted[:, None], seen_AN, stored_AN)
    return CampaignRecord(promotions_A, false_A, attempts_A, (incumbent_AN - first_AN).mean(axis=1), floor_A)


def screening_variance(solved_AN: np.ndarray) -> np.ndarray:
    """Return the mean unbiased p (1 - p) of each campaign's 8 screening attempts."""
    return (solved_AN * (FLOOR_ATTEMPTS - solved_AN)).mean(axis=1) / (FLOOR_ATTEMPTS * (FLOOR_ATTEMPTS - 1))


def _floor(variance_A: np.ndarray, num_problems: int) -> np.ndarray:
    return np.maximum(
        np.sqrt(2.0 * variance_A / (FLOOR_ATTEMPTS * num_problems)), 1.0 / (num_problems * FLOOR_ATTEMPTS)
    )


def _estimates(candidate_AN: np.ndarray, incumbent_AN: np.ndarray, attempts: int) -> tuple[np.ndarray, np.ndarray]:
    num_problems = candidate_AN.shape[1]
    estimate = (candidate_AN.sum(axis=1, dtype=float) - incumbent_AN.sum(axis=1, dtype=float)) / (
        num_problems * attempts
    )
    spread = sum((sums * (attempts - sums)).sum(axis=1, dtype=float) for sums in (candidate_AN, incumbent_AN))
    return np.round(estimate, 12), np.sqrt(spread / (attempts**2 * (attempts - 1))) / num_problems


def _t_values(differences_AN: np.ndarray) -> np.ndarray:
    spread_A = differences_AN.std(axis=1, ddof=1)
    return differences_AN.mean(axis=1) * np.sqrt(differences_AN.shape[1]) / np.maximum(spread_A, 1e-12)


def _unpaid(is_promoted_A: np.ndarray) -> SimulatedVerdict:
    return SimulatedVerdict(is_promoted_A, np.zeros(len(is_promoted_A)))
