"""How far replay ranks the candidates of a pool, what its refusals cost and save, and which changes it misjudges."""

import re
import statistics
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from benchmarks.paired_seeds import SeedDifference
from benchmarks.regret.arithmetic import POINTS, clustered, crossed_best, gains, halves_correlation, rank_correlation
from benchmarks.regret.distinct import Distinct, change_of, distinct
from benchmarks.regret.measured.records import TrainedPool
from benchmarks.regret.rules import OURS, RULES, chosen, speed, step_ratio

MUCH, SLOWER = 2.0, 0.95
"""Ratios of length and of speed that tell kinds of replayed steps apart."""


def correlations(pools: Sequence[TrainedPool]) -> dict[str, SeedDifference]:
    """Return rank correlations with the realised gain within pools; a pool in which one does not vary has none."""
    seeds = [pool.seed for pool in pools]
    found: dict[str, list[float | None]] = {
        "prediction": [],
        "prediction, accepted candidates": [],
        "gain on the other half of the attempts": [],
    }
    for pool in pools:
        gains_CK = gains(pool)
        means = gains_CK.mean(1).tolist()
        told = [one.backtest.predicted_effect for one in pool.candidates]
        kept = [place for place, one in enumerate(pool.candidates) if one.backtest.accepted]
        found["prediction"].append(rank_correlation(told, means))
        found["prediction, accepted candidates"].append(
            rank_correlation([told[i] for i in kept], [means[i] for i in kept])
        )
        found["gain on the other half of the attempts"].append(halves_correlation(gains_CK))
    known = {name: _known(values, seeds) for name, values in found.items()}
    return {name: value for name, value in known.items() if value is not None}


@dataclass(frozen=True)
class Refusals:
    """What refused candidates would have gained, in percentage points."""

    price: SeedDifference
    """Crossed best of all candidates less that of the accepted ones."""
    num_pools_best_refused: int
    """Pools whose highest mean gain is a refused candidate's."""
    num_pools_none_accepted: int
    accepted_less_refused: SeedDifference | None
    """Mean gains within pools that have both; None where there are none."""


def refusals(pools: Sequence[TrainedPool]) -> Refusals:
    """Return what the refusals of these pools cost and save."""
    seeds, prices, apart, best_refused, none = [pool.seed for pool in pools], [], [], 0, 0
    for pool in pools:
        gains_CK = gains(pool)
        kept_C = np.array([one.backtest.accepted for one in pool.candidates])
        kept = np.flatnonzero(kept_C).tolist()
        prices.append(crossed_best(gains_CK, range(len(kept_C))) - crossed_best(gains_CK, kept))
        means_C = gains_CK.mean(1)
        best_refused += not kept_C[means_C.argmax()]
        none += not kept
        apart.append(float(means_C[kept_C].mean() - means_C[~kept_C].mean()) if 0 < len(kept) < len(kept_C) else None)
    return Refusals(clustered(prices, seeds), best_refused, none, _known(apart, seeds))


def _known(values: Sequence[float | None], seeds: Sequence[int]) -> SeedDifference | None:
    return clustered(values, seeds) if any(value is not None for value in values) else None


@dataclass(frozen=True)
class ChangeResult:
    """One change, such as twice the learning rate, over all pools; effects in percentage points."""

    num_distinct: int
    num_refused: int
    predicted: float
    gain: float
    num_best: int
    """Pools in which it has the highest mean gain."""
    num_first: int
    """Pools in which the campaign's ranking puts it first."""


def changes(pools: Sequence[TrainedPool]) -> dict[str, ChangeResult]:
    """Return {change: what became of it}, the highest gain first."""
    best, first, members = Counter(), Counter(), defaultdict[str, list[Distinct]](list)
    for pool in pools:
        best[change_of(pool.candidates[gains(pool).mean(1).argmax()])] += 1
        first.update(change_of(pool.candidates[index]) for one in chosen(pool, RULES[OURS], 1) for index in one)
    for found in distinct(pools):
        members[change_of(found.candidate)].append(found)
    rows = {
        change: ChangeResult(
            num_distinct=len(own),
            num_refused=sum(not one.candidate.backtest.accepted for one in own),
            predicted=POINTS * statistics.fmean(one.candidate.backtest.predicted_effect for one in own),
            gain=statistics.fmean(one.gain for one in own),
            num_best=best[change],
            num_first=first[change],
        )
        for change, own in members.items()
    }
    return dict(sorted(rows.items(), key=lambda row: -row[1].gain))


@dataclass(frozen=True)
class StepResult:
    """Candidates of one kind of replayed step; effects in percentage points."""

    count: int
    predicted: float
    gain: float
    error: float
    """Root mean square of gain less predicted."""


def steps(pools: Sequence[TrainedPool]) -> dict[str, StepResult]:
    """Return {kind of step: what was predicted of it, and what it gained}."""
    members = defaultdict[str, list[tuple[float, float]]](list)
    for found in distinct(pools):
        backtest = found.candidate.backtest
        members[_kind(backtest.numbers)].append((POINTS * backtest.predicted_effect, found.gain))
    return {
        kind: StepResult(
            count=len(own),
            predicted=statistics.fmean(predicted for predicted, _ in own),
            gain=statistics.fmean(gain for _, gain in own),
            error=statistics.fmean((gain - predicted) ** 2 for predicted, gain in own) ** 0.5,
        )
        for kind, own in sorted(members.items())
    }


def _kind(numbers: Mapping[str, float]) -> str:
    if "update_norm_before" not in numbers:
        return "no step replayed"
    if step_ratio(numbers) >= MUCH:
        return f"{MUCH:g} times as long or longer"
    if speed(numbers) >= MUCH:
        return f"shorter, {MUCH:g} times as fast or faster"
    return "shorter, slower than now" if speed(numbers) < SLOWER else "shorter, about as fast"


@dataclass(frozen=True)
class ReasonResult:
    """Candidates that were refused for one reason; gains in percentage points."""

    count: int
    gain: float
    num_better: int
    """Better than the incumbent by more than the noise floor of their pool."""
    num_worse: int


def reasons(pools: Sequence[TrainedPool]) -> dict[str, ReasonResult]:
    """Return {reason without its numbers: what such candidates gained}; one with two reasons counts for both."""
    found = defaultdict[str, list[Distinct]](list)
    for one in distinct(pools):
        if not one.candidate.backtest.accepted:
            for reason in one.candidate.backtest.reason.split("; "):
                found[re.sub(r"[-+]?\d[\d.,]*(e[-+]?\d+)?%?", "#", reason)].append(one)
    return {
        reason: ReasonResult(
            count=len(own),
            gain=statistics.fmean(one.gain for one in own),
            num_better=sum(one.gain > one.floor for one in own),
            num_worse=sum(one.gain < -one.floor for one in own),
        )
        for reason, own in sorted(found.items())
    }
