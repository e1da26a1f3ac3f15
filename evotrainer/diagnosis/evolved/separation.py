"""Does a number separate known-bad from known-good versions? A deviate for each term of a grammar, with its chance.

The deviate is the difference of means over its standard error. The variance is that between versions plus that of
measuring each version, so that a term which varies little between few versions by chance does not win. The spread is
that within both labels, or of good versions alone: where bad versions are of several kinds, a term for one kind is lost
in the former.

The chance is that of the *largest* deviate over all terms under permuted labels: all permutations where they are few, a
sample otherwise.

Letters: V labelled versions, T terms, L permutations.
"""

import itertools
import math
from collections.abc import Iterator, Sequence
from typing import Literal

import numpy as np
import scipy

from evotrainer.diagnosis.evolved.measure import Array
from evotrainer.records import FalseAlarms, Separation

MAX_DEALINGS = 2000

Scale = Literal["both", "good"]
SCALES: tuple[Scale, ...] = ("both", "good")
"""Spread that a deviate is measured in: within both labels, or of the good versions."""
_FLOOR = 0.01
"""Least variance of good versions as a share of that over all: counts and quantiles often have none."""


def deviates(values_VT: Array, errors_VT: Array, is_bad_V: Array, scale: Scale = "both") -> Array:
    """Return the deviate of each term: positive where bad versions have more of it."""
    return deviates_under(values_VT, errors_VT, is_bad_V[None, :], scale)[0]


def dealings(is_bad_V: Array, seed: int) -> Iterator[Array]:
    """Yield label vectors with as many bad ones: all of them, or the given one and a random sample."""
    total, bad = len(is_bad_V), int(is_bad_V.sum())
    if math.comb(total, bad) <= MAX_DEALINGS:
        for chosen in itertools.combinations(range(total), bad):
            yield np.isin(np.arange(total), chosen)
        return
    yield is_bad_V
    rng = np.random.default_rng(seed)
    for _ in range(MAX_DEALINGS - 1):
        yield rng.permutation(is_bad_V)


def separation(values: Sequence[float], alarms: Sequence[bool], is_bad: Sequence[bool], p_value: float) -> Separation:
    """Return how well values and alarms separate bad versions; `values` point to bad as they grow."""
    bad = [value for value, label in zip(values, is_bad, strict=True) if label]
    good = [value for value, label in zip(values, is_bad, strict=True) if not label]
    pairs = [(b > g) + 0.5 * (b == g) for b in bad for g in good]
    caught = [alarm for alarm, label in zip(alarms, is_bad, strict=True) if label]
    return Separation(
        num_good=len(good),
        num_bad=len(bad),
        area=float(np.mean(pairs)) if pairs else 0.5,
        caught=float(np.mean(caught)) if caught else 0.0,
        p_value=p_value,
    )


def false_alarms(alarms: Sequence[bool]) -> FalseAlarms:
    """Return the alarms on healthy evidence with the upper limit of their rate."""
    total, count = len(alarms), int(sum(alarms))
    high = float(scipy.stats.beta.ppf(0.95, count + 1, total - count)) if count < total else 1.0
    return FalseAlarms(num_healthy=total, num_alarms=count, high=round(high, 4))


def deviates_under(values_VT: Array, errors_VT: Array, labels_LV: Array, scale: Scale) -> Array:
    """Return the deviates of all terms under each labelling, dealings x terms; all have as many bad versions."""
    bad_LV = labels_LV.astype(float)
    num_bad, num_good = bad_LV.sum(axis=1)[0], (1 - bad_LV).sum(axis=1)[0]
    centred_VT, noise_T = values_VT - values_VT.mean(axis=0), (errors_VT**2).mean(axis=0)
    bad_LT, good_LT = bad_LV @ centred_VT / num_bad, (1 - bad_LV) @ centred_VT / num_good
    if scale == "both":
        squares_LT = (centred_VT**2).sum(axis=0) - num_bad * bad_LT**2 - num_good * good_LT**2
        freedom = max(len(values_VT) - 2, 1)
    else:
        squares_LT = (1 - bad_LV) @ centred_VT**2 - num_good * good_LT**2
        freedom = max(num_good - 1, 1)
        squares_LT = np.maximum(squares_LT, freedom * _FLOOR * centred_VT.var(axis=0))
    variance_LT = (np.maximum(squares_LT, 0.0) / freedom + noise_T) * (1 / num_bad + 1 / num_good)
    is_moving = variance_LT > 1e-24 * (1 + np.abs(values_VT).max(axis=0) ** 2)
    return np.where(is_moving, (bad_LT - good_LT) / np.sqrt(np.where(is_moving, variance_LT, 1.0)), 0.0)
