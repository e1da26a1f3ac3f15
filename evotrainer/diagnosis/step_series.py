"""What the numbers by step are made of: rows with their step, one value and one weight a row, and when a step is red.

Limits are those of thresholds.py, checks.py and reading/others.py. A share of attempts is red where its exact lower
bound is beyond the limit; a trainer's own mean, which rests on nobody knows how many, where it is itself.
"""

from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np
import pyarrow as pa
from scipy import special

from evotrainer.diagnosis.checks import EFFECT, MIN_STEPS
from evotrainer.diagnosis.conditions import Evidence, floats
from evotrainer.diagnosis.reading.others import DEAD, GROWTH, measured, row_means
from evotrainer.diagnosis.thresholds import LIMITS


@dataclass(frozen=True)
class Part:
    """One number before it is summed by step."""

    values: np.ndarray
    weights: np.ndarray
    """One entry a row; 0 where the row says nothing."""
    is_logged: bool = False
    """A trainer's own mean: how many attempts it rests on is unknown."""


@dataclass(frozen=True)
class Course:
    """One number over the steps, as red is judged."""

    values: np.ndarray
    """nan where a step says nothing."""
    counts: np.ndarray
    """What a share is a share of; infinite for a trainer's own mean."""
    early: float
    """Median of the first third of steps; nan below three steps."""
    rewards: np.ndarray
    """The mean reward of the same steps."""


class RowsBySteps:
    """The rows that the numbers are computed of, with a trainer's signals by step where it has any."""

    def __init__(self, evidence: Evidence, signals: pa.Table | None) -> None:
        """Choose rows with a step; held splits are left out where there are others."""
        kept = np.isfinite(evidence.step)
        trained = kept & ~evidence.is_held
        self.kept = np.flatnonzero(trained if trained.any() else kept)
        self.evidence, self._signals = evidence, signals
        self.steps, self.codes = np.unique(evidence.step[self.kept], return_inverse=True)
        self.measures = measured(evidence.conditions)

    def column(self, name: str) -> np.ndarray:
        """Return a column of numbers; nan where it is unknown or absent."""
        return self.evidence.numbers(name)[self.kept]

    def measure(self, name: str) -> np.ndarray:
        """Return a measure of a trainer that a column is named like."""
        return row_means(self.evidence.table[self.measures[name]])[self.kept]

    def mean(self, values: np.ndarray, is_counted: np.ndarray | bool = True) -> Part:
        """Return the mean of what is known among the rows that count."""
        known = np.isfinite(values) & is_counted
        return Part(np.where(known, values, 0.0), known.astype(float))

    def ratio(self, values: np.ndarray, weights: np.ndarray) -> Part:
        """Return the sum of values by that of weights, of the rows where both are known."""
        known = np.isfinite(values) & (weights > 0)
        return Part(np.where(known, values, 0.0), np.where(known, weights, 0.0))

    def logged(self, *measures: str) -> Part:
        """Return the first measure of a trainer that is known: of its signals, else of a column named like it."""
        for name in measures:
            if self._signals is not None and name in self._signals.column_names:
                steps, values = floats(self._signals["step"]), floats(self._signals[name])
                order = np.argsort(steps, kind="stable")
                place = np.searchsorted(steps[order], self.steps).clip(0, len(steps) - 1)
                found = np.where(steps[order][place] == self.steps, values[order][place], np.nan)[self.codes]
            elif name in self.measures:
                found = self.measure(name)
            else:
                continue
            if np.isfinite(found).any():
                return replace(self.mean(found), is_logged=True)
        return self.mean(np.full(len(self.kept), np.nan))

    def groups(self, judge: Callable[[np.ndarray, np.ndarray, np.ndarray], np.ndarray], column: str) -> Part:
        """Return the share of groups of two or more for which `judge(low, high, size)` of a column holds."""
        values = self.evidence.reward[self.kept] if column == "reward" else self.column(column)
        known = np.flatnonzero(np.isfinite(values))
        found = np.zeros((2, len(self.kept)))
        if len(known):
            order = known[np.argsort(self.evidence.group[self.kept][known], kind="stable")]
            group = self.evidence.group[self.kept][order]
            starts = np.flatnonzero(np.r_[True, group[1:] != group[:-1]])
            size = np.diff(np.r_[starts, len(order)])
            low, high = (one.reduceat(values[order], starts) for one in (np.minimum, np.maximum))
            found[1, order[starts]] = size > 1
            found[0, order[starts]] = judge(low, high, size) & (size > 1)
        return Part(found[0], found[1])


def early(values: np.ndarray) -> float:
    """Return the median of the first third of what is known; nan below three steps."""
    known = values[np.isfinite(values)]
    return float(np.median(known[: len(known) // 3])) if len(known) >= MIN_STEPS else float("nan")


def above(limit: float) -> Callable[[Course], np.ndarray]:
    """Red: a share significantly above a limit."""

    def red(course: Course) -> np.ndarray:
        counts = np.where(np.isfinite(course.counts), course.counts, 0.0)
        marked = np.round(np.nan_to_num(course.values) * counts)
        p = special.bdtrc(np.maximum(marked - 1, 0), np.maximum(counts, 1).astype(int), limit)
        return np.where(np.isfinite(course.counts), (marked > 0) & (p < LIMITS.limit_alpha), course.values > limit) & (
            course.values > limit
        )

    return red


def beyond(limit: float) -> Callable[[Course], np.ndarray]:
    """Red: no share, and above a limit."""
    return lambda course: course.values > limit


def below(limit: float) -> Callable[[Course], np.ndarray]:
    """Red: a share significantly below a limit."""
    return lambda course: above(1 - limit)(replace(course, values=1 - course.values))


def outside(factor: float) -> Callable[[Course], np.ndarray]:
    """Red: off 1 by more than a factor."""
    return lambda course: (course.values > factor) | (course.values < 1 / factor)


def moves(fall: float, rise: float) -> Callable[[Course], np.ndarray]:
    """Red: by so much of its early value below or above it."""
    return lambda course: (
        ((course.values < (1 - fall) * course.early) | (course.values > (1 + rise) * course.early)) & (course.early > 0)
    )


def runs_away(least: float, times: float = GROWTH) -> Callable[[Course], np.ndarray]:
    """Red: so many times its early value, and above `least`."""
    return lambda course: course.values > np.fmax(times * np.abs(course.early), least)


def gradient(course: Course) -> np.ndarray:
    """Red: a norm that runs away, or is 0 beside its largest."""
    largest = np.nanmax(course.values)
    return runs_away(0.0)(course) & np.isfinite(course.early) | (course.values <= DEAD * largest)


def falls(course: Course) -> np.ndarray:
    """Red: below every step of the first third, and a tenth of the range below their median."""
    known = course.values[np.isfinite(course.values)]
    if len(known) < MIN_STEPS:
        return np.zeros(len(course.values), bool)
    lowest, span = known[: len(known) // 3].min(), np.ptp(known)
    least = EFFECT * max(span, abs(course.early))
    return (course.values < lowest) & (course.values < course.early - least)


def lengthens(course: Course) -> np.ndarray:
    """Red: longer than the limit allows, while the reward is no better than at first."""
    is_flat = ~(course.rewards > early(course.rewards))
    return (course.values > (1 + LIMITS.length_growth) * course.early) & is_flat


def length(rows: RowsBySteps) -> Part:
    """Return tokens, a trainer's mean length, or characters."""
    parts = (rows.mean(rows.column("num_tokens")), rows.logged("length"))
    return next((part for part in parts if part.values.any()), rows.mean(rows.column("chars")))


def first(part: Part, other: Part) -> Part:
    """Return the first part where any row says something, else the other."""
    return part if part.weights.any() else other


def mismatch(rows: RowsBySteps) -> Part:
    """Return how far two log-probabilities of the same tokens are apart."""
    if not {"sampler_logprob", "trainer_logprob"} <= rows.measures.keys():
        return rows.logged("mismatch")
    sampler, trainer = (rows.measure(name) for name in ("sampler_logprob", "trainer_logprob"))
    return rows.mean(np.abs(sampler - trainer))


def lag(rows: RowsBySteps) -> Part:
    """Versions that the sampler is behind; against the step, beyond what it is behind at first."""
    if "sampler_version" not in rows.measures:
        return rows.logged("lag")
    version = rows.measure("sampler_version")
    if "trainer_version" in rows.measures:
        return rows.mean(rows.measure("trainer_version") - version)
    behind = rows.steps[rows.codes] - version
    first = behind[(rows.codes < max(1, len(rows.steps) // 3)) & np.isfinite(behind)]
    return rows.mean(behind - (np.median(first) if len(first) else np.nan))


def outages(rows: RowsBySteps) -> Part:
    """Return the share of attempts that a machine failed."""
    lost = rows.evidence.table["error"].is_valid().to_numpy()[rows.kept]
    met = rows.column("outage_replies")
    return rows.mean(((met > 0) | lost).astype(float), np.isfinite(met) | lost.any())
