"""The campaign's noise floor: two evaluations of one checkpoint, and what the attempts of one predict of the other.

The formula takes each problem's spread over its attempts (statistics.noise_floor). The second evaluation, under seeds
of its own, checks it: its differences are pure noise, so their root mean square over problems, divided by sqrt(N),
estimates the same SD from quite other numbers. Both are stored; the formula's is the floor.
"""

import math

from evotrainer.evidence.score_table import ScoreTable, paired_differences
from evotrainer.promotion.statistics import noise_floor
from evotrainer.records import NoiseFloor


def measure_noise(first: ScoreTable, second: ScoreTable) -> NoiseFloor:
    """Return the noise floor from two evaluations of one checkpoint; raises EvidenceError where problems differ.

    With one attempt a problem the formula knows nothing, and the observed SD stands for both.
    """
    differences_N = paired_differences(second, first)
    observed = round(math.sqrt(float((differences_N**2).sum())) / len(differences_N), 12)
    predicted = noise_floor(first)
    return NoiseFloor(
        value=observed if predicted is None else predicted,
        observed=observed,
        difference=round(float(differences_N.mean()), 12),
        num_problems=len(differences_N),
        attempts=first.num_attempts,
    )
