"""What two arms of a bench differ by, paired by seed: mean difference with Student's t interval.

Campaigns of one seed share problems, draws and start, so the difference within a seed is what the arms themselves
make. Seeds are few (often 3 to 5) and taken as independent draws from a population that is roughly normal; so few
cannot check that, and a bootstrap of 3 to 5 values would be narrower than it ought to be. Intervals are not corrected
for their number.

Stated degenerate answers: one seed has no interval; equal differences on all seeds have one of width 0, which says
that nothing varied, not that nothing could: it counts as sure of nothing.
"""

import math
from collections.abc import Mapping
from dataclasses import dataclass

from scipy import stats

from evotrainer.errors import EvidenceError


@dataclass(frozen=True)
class SeedDifference:
    """Mean difference of two arms over the seeds that both ran; no bounds from a single seed."""

    num_seeds: int
    mean: float
    low: float | None
    high: float | None

    @property
    def is_sure(self) -> bool:
        """Whether the interval excludes 0; one of width 0 shows nothing."""
        return (
            self.low is not None and self.high is not None and self.low < self.high and (self.low > 0 or self.high < 0)
        )


def seed_difference(
    values: Mapping[int, float], other: Mapping[int, float], confidence: float = 0.95
) -> SeedDifference:
    """Return `values` minus `other` over common seeds; raises EvidenceError for none, and for what is no number."""
    seeds = sorted(values.keys() & other.keys())
    if not seeds:
        raise EvidenceError("the two arms have no seed in common: run both on the same seeds")
    differences = [values[seed] - other[seed] for seed in seeds]
    if not all(math.isfinite(difference) for difference in differences):
        raise EvidenceError("a campaign of the bench has no number to compare: run it again")
    count, mean = len(seeds), math.fsum(differences) / len(seeds)
    if count == 1:
        return SeedDifference(1, mean, None, None)
    variance = math.fsum((difference - mean) ** 2 for difference in differences) / (count - 1)
    half = float(stats.t.ppf((1 + confidence) / 2, count - 1)) * math.sqrt(variance / count)
    return SeedDifference(count, mean, mean - half, mean + half)
