"""Regret by rule: the crossed best of a whole pool, less the gain of what the rule takes.

Of two candidates it is less the crossed best of both. Means are over campaigns, of each campaign's mean over its pools,
with Student's t interval.
"""

import statistics
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from benchmarks.paired_seeds import SeedDifference
from benchmarks.regret.arithmetic import clustered, crossed_best, gains, noise_floor, plain_best
from benchmarks.regret.measured.records import TrainedPool
from benchmarks.regret.rules import Rule, chosen

COUNTS = (1, 2)
"""Candidates that a rule takes: one, or the two slots of a generation."""

RuleOf = Callable[[TrainedPool], Rule]


@dataclass(frozen=True)
class PoolRegret:
    """What one rule comes to on one pool, in percentage points; [1] of one candidate, [2] of two."""

    gain: dict[int, float]
    regret: dict[int, float]
    plain_regret: dict[int, float]
    """Against the plain best, which is too high."""
    gated_regret: dict[int, float]
    """Where the incumbent stays unless what is taken is better, as behind a gate: a pool of losers costs nothing."""
    is_best: float
    """Whether the first candidate has the highest mean gain; of a random one, how often."""
    is_near: float
    """Whether it lies within the noise floor of that."""


@dataclass(frozen=True)
class RuleResult:
    """One rule over all pools."""

    gain: SeedDifference
    regret: dict[int, SeedDifference]
    plain_regret: dict[int, SeedDifference]
    gated_regret: dict[int, SeedDifference]
    share_best: float
    share_near: float


def pool_regret(pool: TrainedPool, rule: Rule) -> PoolRegret:
    """Return what a rule comes to on a pool whose candidates all have policies."""
    gains_CK, everyone = gains(pool), range(len(pool.candidates))
    means_C, incumbent = gains_CK.mean(1), len(pool.candidates)
    gated_CK = np.vstack([gains_CK, np.zeros_like(gains_CK[:1])])
    crossed, plain, floor = crossed_best(gains_CK, everyone), plain_best(gains_CK, everyone), noise_floor(pool)
    sets = {count: chosen(pool, rule, count) for count in COUNTS}
    taken = {n: statistics.fmean(crossed_best(gains_CK, one) for one in sets[n]) for n in COUNTS}
    gated = {n: statistics.fmean(crossed_best(gated_CK, (*one, incumbent)) for one in sets[n]) for n in COUNTS}
    plainly = {n: statistics.fmean(plain_best(gains_CK, one) for one in sets[n]) for n in COUNTS}
    firsts = [means_C[one[0]] if one else 0.0 for one in sets[1]]
    return PoolRegret(
        gain=taken,
        regret={n: crossed - taken[n] for n in COUNTS},
        plain_regret={n: plain - plainly[n] for n in COUNTS},
        gated_regret={n: crossed_best(gated_CK, range(incumbent + 1)) - gated[n] for n in COUNTS},
        is_best=statistics.fmean(float(first >= plain) for first in firsts),
        is_near=statistics.fmean(float(first >= plain - floor) for first in firsts),
    )


def rule_result(pools: Sequence[TrainedPool], rule_of: RuleOf) -> RuleResult:
    """Return what a rule comes to over all pools."""
    seeds, found = [pool.seed for pool in pools], [pool_regret(pool, rule_of(pool)) for pool in pools]
    return RuleResult(
        gain=clustered([one.gain[1] for one in found], seeds),
        regret={n: clustered([one.regret[n] for one in found], seeds) for n in COUNTS},
        plain_regret={n: clustered([one.plain_regret[n] for one in found], seeds) for n in COUNTS},
        gated_regret={n: clustered([one.gated_regret[n] for one in found], seeds) for n in COUNTS},
        share_best=statistics.fmean(one.is_best for one in found),
        share_near=statistics.fmean(one.is_near for one in found),
    )


def regret_beyond(
    pools: Sequence[TrainedPool], rule_of: RuleOf, other: RuleOf, measure: Callable[[PoolRegret], float]
) -> SeedDifference:
    """Return how much more a rule's regret is than another's, paired by pool; `measure` says which regret."""
    more = [measure(pool_regret(pool, rule_of(pool))) - measure(pool_regret(pool, other(pool))) for pool in pools]
    return clustered(more, [pool.seed for pool in pools])


def of_one(found: PoolRegret) -> float:
    """Return the regret of one candidate."""
    return found.regret[1]


def of_two_gated(found: PoolRegret) -> float:
    """Return the regret of the two slots of a generation, behind a gate."""
    return found.gated_regret[2]


@dataclass(frozen=True)
class Oracle:
    """The best of each pool over the incumbent, in percentage points: it lies between `crossed` and `plain`."""

    crossed: SeedDifference
    plain: SeedDifference


def oracle(pools: Sequence[TrainedPool]) -> Oracle:
    """Return what training every candidate gains."""
    seeds, everyone = [pool.seed for pool in pools], [range(len(pool.candidates)) for pool in pools]
    pairs = [(gains(pool), members) for pool, members in zip(pools, everyone, strict=True)]
    return Oracle(
        clustered([crossed_best(*pair) for pair in pairs], seeds),
        clustered([plain_best(*pair) for pair in pairs], seeds),
    )
