"""Two policies at the same problems: which is better, how sure that is, and how many attempts would decide it.

A problem's value is the mean of its graded attempts; the difference of a problem is that of its two values, and
problems are what is resampled (method.md 5).

Looking after every batch is safe with `Watch`: its bounds are a confidence sequence (betting.py), so that they hold
after all batches at once.

Shapes: N problems that both sides have.
"""

import math
from dataclasses import dataclass

import numpy as np
import scipy
from pydantic import Field

from evotrainer.errors import EvidenceError
from evotrainer.evidence.pairing import Pairs, Side, circumstances, paired, shared
from evotrainer.promotion import betting
from evotrainer.promotion.statistics import Interval, mean_interval
from evotrainer.records import Record
from evotrainer.records.base import count_of

CONFIDENCE = 0.95
SAMPLES = 10_000
FLIPS = 9_999
"""Random signs of the permutation test; fewer where all signs of few problems can be gone through."""
POWER = 2.8
"""Standard errors of a gain that is seen in four comparisons of five: 1.96 + 0.84."""
FEW_PROBLEMS = 10
"""Below so many problems an interval over problems is too narrow."""
STAKES = (0.05, 0.12, 0.3, 0.6, 0.9)
"""Bets of the confidence sequence: fixed before the first batch, since nothing is known of the noise then."""


@dataclass(frozen=True)
class Change:
    """What became of one problem."""

    problem: str
    first: tuple[float, int]
    """Mean and graded attempts of the first side."""
    second: tuple[float, int]
    places: tuple[int, int]
    """A row of each side to look at: the first one whose outcome shows the change."""

    @property
    def difference(self) -> float:
        """Second minus first."""
        return self.second[0] - self.first[0]


class SideBySide(Record):
    """What two sets of attempts show of two policies."""

    measure: str
    is_share: bool = Field(description="all outcomes lie between 0 and 1")
    num_problems: int
    scores: tuple[float, float]
    difference: float = Field(description="second minus first, mean over the problems of both")
    low: float
    high: float
    p: float = Field(description="chance of a difference as large in either direction, were both policies equal")
    attempts: tuple[int, int] = Field(description="graded attempts at the problems of both")
    lost: tuple[int, int] = Field(description="attempts without an outcome; they are left out")
    greedy: tuple[float | None, float | None] = Field(description="mean of greedy attempts, where a file has them")
    pass_k: int = Field(description="attempts that every problem has on both sides")
    passed: tuple[float, float] | None = Field(description="pass@k, where outcomes are 0 and 1 and k is above 1")
    visible: float = Field(description="the smallest true difference that these attempts show, four times of five")
    between: float = Field(description="variance of the true differences over problems")
    within: float = Field(description="variance of a problem's difference by its attempts")
    notes: list[str]


def compared(first: Side, second: Side, measure: str, seed: int = 0) -> tuple[SideBySide, list[Change]]:
    """Return what the attempts of both sides show, and what became of each problem, largest changes first.

    Raises:
        EvidenceError: fewer than two problems have graded attempts on both sides.

    """
    pairs = paired(first, second)
    graded = [(a[~first.is_lost[a]], b[~second.is_lost[b]]) for a, b in pairs.places]
    kept = [place for place, (a, b) in enumerate(graded) if len(a) and len(b)]
    if len(kept) < 2:
        raise EvidenceError(
            f"{len(kept)} problem(s) have graded attempts on both sides: give attempts at the same problems, or map "
            "problem_id to the column that names them"
        )
    values = [(first.values[graded[place][0]], second.values[graded[place][1]]) for place in kept]
    means_N2 = np.array([[a.mean(), b.mean()] for a, b in values])
    differences_N = means_N2[:, 1] - means_N2[:, 0]
    interval = mean_interval(differences_N, samples=SAMPLES, confidence=CONFIDENCE, seed=seed)
    spread, within = float(differences_N.var(ddof=1)), _within(values)
    counts = np.array([[len(a), len(b)] for a, b in values])
    flat = np.concatenate([one for both in values for one in both])
    found = SideBySide(
        measure=measure,
        is_share=bool((flat >= 0).all() and (flat <= 1).all()),
        num_problems=len(kept),
        scores=(float(means_N2[:, 0].mean()), float(means_N2[:, 1].mean())),
        difference=interval.value,
        low=interval.low,
        high=interval.high,
        p=sign_p(differences_N, seed),
        attempts=(int(counts[:, 0].sum()), int(counts[:, 1].sum())),
        lost=(int(first.is_lost.sum()), int(second.is_lost.sum())),
        greedy=(
            _greedy(first, [graded[place][0] for place in kept]),
            _greedy(second, [graded[place][1] for place in kept]),
        ),
        pass_k=int(counts.min()),
        passed=_passed(values, int(counts.min())),
        visible=POWER * math.sqrt(max(spread, 0.0) / len(kept)),
        between=max(spread - within, 0.0),
        within=within,
        notes=[
            *_sizes(pairs, kept, counts),
            *shared(first, second, graded),
            *pairs.notes,
            *circumstances(first, second),
        ],
    )
    changes = [
        Change(
            problem=pairs.names[place],
            first=(float(one[0]), len(a)),
            second=(float(one[1]), len(b)),
            places=(
                _shown(first, graded[place][0], one[1] > one[0]),
                _shown(second, graded[place][1], one[0] > one[1]),
            ),
        )
        for place, one, (a, b) in zip(kept, means_N2, values, strict=True)
    ]
    return found, sorted(changes, key=lambda one: (-abs(one.difference), -min(one.first[1], one.second[1])))


def sign_p(differences_N: np.ndarray, seed: int = 0) -> float:
    """Return the two-sided p of the mean under random signs of each problem's difference (exact for few problems)."""
    if not np.round(differences_N, 12).any():
        return 1.0
    found = scipy.stats.permutation_test(
        (differences_N,),
        lambda values, axis: values.mean(axis=axis),
        permutation_type="samples",
        vectorized=True,
        n_resamples=FLIPS,
        batch=256,
        rng=np.random.default_rng(seed),
    )
    return float(found.pvalue)


def plan(found: SideBySide, gain: float) -> tuple[int, int | None]:
    """Return how many problems, or else how many attempts at each of these, show a true difference of `gain`.

    Both in four comparisons of five. The second is None where no number of attempts at these problems would do:
    their true differences vary too much for a claim about problems of this kind.
    """
    if gain <= 0:
        raise EvidenceError(f"a gain of {gain} cannot be planned for: give a difference above 0, like --plan 0.03")
    spread = found.between + found.within
    problems = math.ceil((POWER / gain) ** 2 * spread) if spread else found.num_problems
    left = (gain / POWER) ** 2 * found.num_problems - found.between
    attempts = sum(found.attempts) / 2 / found.num_problems
    return max(problems, 2), math.ceil(attempts * found.within / left) if left > 0 and found.within else None


class Watch(Record):
    """Batches of fresh attempts so far, for one who looks after each of them."""

    sides: tuple[str, str]
    measure: str
    used: dict[str, tuple[int, int]] = Field(default={}, description="attempts of each problem that were counted")
    rounds: list[list[float]] = Field(default=[], description="differences of each batch, problem by problem")

    def bounds(self, alpha: float = 1 - CONFIDENCE) -> Interval:
        """Return the mean difference over batches, and bounds that hold after every batch at once."""
        if not self.rounds:
            return Interval(0.0, -1.0, 1.0)
        rounds_RN = np.array(self.rounds)
        return Interval(float(rounds_RN.mean()), *betting.confidence_sequence(rounds_RN, STAKES, alpha))


def watched(watch: Watch, first: Side, second: Side) -> tuple[Watch, int]:
    """Return the watch with the attempts that are new since, and how many problems still lack new ones.

    A batch counts once every problem has a new graded attempt on both sides; until then nothing changes.

    Raises:
        EvidenceError: outcomes outside [0, 1], other problems than before, or fewer attempts than were counted.

    """
    pairs = paired(first, second)
    if watch.used and set(pairs.names) != set(watch.used):
        raise EvidenceError(f"the watch began with {len(watch.used)} other problems: give the same files, grown")
    fresh, used = [], {}
    for name, places in zip(pairs.names, pairs.places, strict=True):
        counted = watch.used.get(name, (0, 0))
        if any(len(place) < count for place, count in zip(places, counted, strict=True)):
            raise EvidenceError(f"{name}: fewer attempts than were counted before: give the same files, grown")
        used[name] = (len(places[0]), len(places[1]))
        fresh.append(
            [
                one.values[place[count:]][~one.is_lost[place[count:]]]
                for one, place, count in zip((first, second), places, counted, strict=True)
            ]
        )
    values = np.concatenate([side for problem in fresh for side in problem] or [np.zeros(0)])
    if ((values < 0) | (values > 1)).any():
        raise EvidenceError("bounds for every look need outcomes from 0 to 1: map correct, or a reward of that range")
    missing = sum(not len(side) for problem in fresh for side in problem)
    if missing or not fresh:
        return watch, missing
    differences = [float(b.mean() - a.mean()) for a, b in fresh]
    return watch.model_copy(update={"used": used, "rounds": [*watch.rounds, differences]}), 0


def _within(values: list[tuple[np.ndarray, np.ndarray]]) -> float:
    """Return the mean over problems of the variance of its difference by attempts; single attempts take the others'."""
    found = np.full((len(values), 2), np.nan)
    counts = np.array([[len(a), len(b)] for a, b in values])
    for place, both in enumerate(values):
        found[place] = [one.var(ddof=1) if len(one) > 1 else np.nan for one in both]
    if np.isnan(found).all():
        return 0.0
    known = np.nanmean(found)
    return float((np.where(np.isnan(found), known, found) / counts).sum(axis=1).mean())


def _greedy(one: Side, places: list[np.ndarray]) -> float | None:
    """Return the mean of the greedy attempts at the problems of these rows."""
    problems = one.rows.problem.codes
    is_compared = np.isin(problems, problems[np.concatenate(places)])
    values = one.values[one.is_greedy & ~one.is_lost & is_compared]
    return float(values.mean()) if len(values) else None


def _passed(values: list[tuple[np.ndarray, np.ndarray]], k: int) -> tuple[float, float] | None:
    """Return pass@k of both sides, unbiased (Chen et al. 2021, arXiv 2107.03374); None where it says nothing more."""
    flat = np.concatenate([one for both in values for one in both])
    if k < 2 or not np.isin(flat, (0.0, 1.0)).all():
        return None
    rates = [
        [1.0 - math.comb(len(one) - int(one.sum()), k) / math.comb(len(one), k) for one in both] for both in values
    ]
    means = np.array(rates).mean(axis=0)
    return float(means[0]), float(means[1])


def _sizes(pairs: Pairs, kept: list[int], counts: np.ndarray) -> list[str]:
    notes = []
    if len(kept) < FEW_PROBLEMS:
        notes.append(f"{len(kept)} problems are few: the interval is too narrow, the p-value holds")
    if any(pairs.only):
        notes.append(
            f"left out: {count_of(pairs.only[0], 'problem')} of the first side alone, {pairs.only[1]} of the second"
        )
    if len(pairs.names) > len(kept):
        lost = count_of(len(pairs.names) - len(kept), "problem")
        notes.append(f"left out: {lost} without a graded attempt on one side")
    if counts.min() != counts.max():
        notes.append(f"attempts a problem differ, {counts.min()} to {counts.max()}: each problem counts once")
    if counts.max() == 1:
        notes.append("one attempt a problem: noise of sampling and differences of problems cannot be told apart")
    return notes


def _shown(one: Side, places: np.ndarray, is_low: bool) -> int:
    """Return the row of a problem whose outcome is lowest, or highest."""
    values = one.values[places]
    return int(places[values.argmin() if is_low else values.argmax()])
