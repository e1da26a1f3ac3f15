"""A learned term of the predicted gain: one number of the replay, fitted on the record of earlier campaigns.

    cases of the memory ─► what their predictions left unexplained ─► each number of their replays
                       ─► error on campaigns that were left out ─► permutation of the search ─► it enters, or not

A number enters only where the error of the prediction falls on campaigns that had no part in the fit, by more than the
best of as many numbers does once they are dealt anew within each campaign (p at most LEVEL). So it must tell which of a
campaign's candidates gain more, which is what a ranking needs. Campaigns of one domain and seed count as one.

Slopes are shrunk as if PRIOR_SAMPLES of typical size had shown nothing, and a number beyond those seen is cut to the
widest of them. The term ranks and refuses nothing. `X_before` and `X_after` of a replay are one number, `X`: the log of
their ratio. Legend: N cases, J numbers, U campaigns.
"""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from evotrainer.campaign.seeds import derive_seed
from evotrainer.records import LEARNED_EFFECT, Case

LEVEL = 0.05
NUM_PERMUTATIONS = 199
MIN_CASES, MIN_CAMPAIGNS = 24, 8
MIN_KNOWN = 0.8
"""Share of cases that must have a number."""
PRIOR_SAMPLES = 4.0
_NOT_REPLAYED = {"raw_effect", "card_effect", LEARNED_EFFECT, "probe_tokens"}
_BEFORE, _AFTER = "_before", "_after"


@dataclass(frozen=True)
class LearnedTerm:
    """What a replay's number adds to the predicted change of score."""

    name: str
    mean: float
    scale: float
    slope: float
    widest: float
    """Standard deviations from the mean beyond which a number is cut."""

    def effect(self, numbers: Mapping[str, float]) -> float:
        """Return what is added for a replay with these numbers; 0 where it lacks the number."""
        value = replayed(numbers).get(self.name)
        if value is None:
            return 0.0
        return self.slope * float(np.clip((value - self.mean) / self.scale, -self.widest, self.widest))


@dataclass(frozen=True)
class LearnedSearch:
    """The term that enters, or the reason why none does; errors are root mean squares on campaigns left out."""

    term: LearnedTerm | None
    reason: str
    error: float = math.nan
    """Of the predictions as they were made."""
    errors: Mapping[str, float] | None = None
    """{number: error with it}."""
    p: float = math.nan


def replayed(numbers: Mapping[str, float]) -> dict[str, float]:
    """Return the numbers of a replay that may enter, pairs of before and after as one."""
    found = {}
    for name, value in numbers.items():
        if name in _NOT_REPLAYED or name.startswith("shift_") or name.endswith(_BEFORE):
            continue
        before = numbers.get(name.removesuffix(_AFTER) + _BEFORE)
        if not name.endswith(_AFTER) or before is None:
            found[name] = value
        elif value > 0 and before > 0:
            found[name.removesuffix(_AFTER)] = math.log(value / before)
    return found


def search_learned(cases: Sequence[Case]) -> LearnedSearch:
    """Return what the cases of a memory say of the numbers of replays."""
    usable = [case for case in cases if case.predicted is not None and case.difference is not None and case.numbers]
    keys = [(case.domain, case.campaign_seed) for case in usable]
    if len(usable) < MIN_CASES or len(set(keys)) < MIN_CAMPAIGNS:
        return LearnedSearch(
            None,
            f"{len(usable)} cases of {len(set(keys))} campaigns hold a replay and its end: at least {MIN_CASES} of "
            f"{MIN_CAMPAIGNS} are needed",
        )
    found = [replayed(case.numbers) for case in usable]
    known = {name: sum(name in one for one in found) for one in found for name in one}
    names = sorted(name for name, count in known.items() if count >= MIN_KNOWN * len(usable))
    values_NJ = _filled(np.array([[one.get(name, math.nan) for name in names] for one in found]))
    varies_J = values_NJ.std(0) > 1e-12
    names, values_NJ = [name for name, varies in zip(names, varies_J, strict=True) if varies], values_NJ[:, varies_J]
    if not names:
        return LearnedSearch(None, "no number of the replays varies between cases")
    left_N = np.array([(case.difference or 0.0) - (case.predicted or 0.0) for case in usable])
    unit_N = np.unique([f"{domain} {seed}" for domain, seed in keys], return_inverse=True)[1]
    return _judged(names, values_NJ, left_N, unit_N)


def _judged(names: Sequence[str], values_NJ: np.ndarray, left_N: np.ndarray, unit_N: np.ndarray) -> LearnedSearch:
    error, errors_J = float(np.sqrt((left_N**2).mean())), left_out_errors(values_NJ, left_N, unit_N)
    best = int(errors_J.argmin())
    rng = np.random.default_rng(derive_seed(0, "learned term", len(left_N)))
    reached = sum(
        float(left_out_errors(values_NJ[_dealt(unit_N, rng)], left_N, unit_N).min()) <= errors_J[best]
        for _ in range(NUM_PERMUTATIONS)
    )
    p = (1 + reached) / (1 + NUM_PERMUTATIONS)
    said = (
        f"with {names[best]} the error on campaigns left out is {errors_J[best]:.4f} in place of {error:.4f}, p {p:.3f}"
    )
    by_name = dict(zip(names, errors_J.tolist(), strict=True))
    if errors_J[best] >= error or p > LEVEL:
        return LearnedSearch(None, f"nothing enters: {said}", error, by_name, p)
    return LearnedSearch(_term(names[best], values_NJ[:, best], left_N), said, error, by_name, p)


def left_out_errors(values_NJ: np.ndarray, left_N: np.ndarray, unit_N: np.ndarray) -> np.ndarray:
    """Return for each number the error of what it predicts of campaigns that its slope was not fitted on, [J]."""
    counts_U = np.bincount(unit_N)
    others_U1 = (len(left_N) - counts_U)[:, None]
    sums = [_summed(values, unit_N) for values in (values_NJ, values_NJ**2, values_NJ * left_N[:, None])]
    x_UJ, xx_UJ, xy_UJ = (one.sum(0) - one for one in sums)
    y_U1 = (left_N.sum() - np.bincount(unit_N, left_N))[:, None]
    mean_UJ = x_UJ / others_U1
    spread_UJ = np.maximum(xx_UJ - others_U1 * mean_UJ**2, 1e-12)
    slope_UJ = (xy_UJ - mean_UJ * y_U1) / (spread_UJ * (1 + PRIOR_SAMPLES / others_U1))
    predicted_NJ = slope_UJ[unit_N] * (values_NJ - mean_UJ[unit_N])
    return np.sqrt(((left_N[:, None] - predicted_NJ) ** 2).mean(0))


def _term(name: str, values_N: np.ndarray, left_N: np.ndarray) -> LearnedTerm:
    mean, scale = float(values_N.mean()), float(values_N.std())
    standard_N = (values_N - mean) / scale
    slope = float(standard_N @ left_N) / (len(left_N) + PRIOR_SAMPLES)
    return LearnedTerm(name, mean, scale, slope, float(np.abs(standard_N).max()))


def _summed(values_NJ: np.ndarray, unit_N: np.ndarray) -> np.ndarray:
    sums_UJ = np.zeros((unit_N.max() + 1, values_NJ.shape[1]))
    np.add.at(sums_UJ, unit_N, values_NJ)
    return sums_UJ


def _dealt(unit_N: np.ndarray, rng: np.random.Generator) -> np.ndarray:
    """Return places of cases, permuted within each campaign."""
    order = np.lexsort((rng.random(len(unit_N)), unit_N))
    dealt = np.empty(len(unit_N), dtype=int)
    dealt[np.lexsort((np.arange(len(unit_N)), unit_N))] = order
    return dealt


def _filled(values_NJ: np.ndarray) -> np.ndarray:
    """Return the numbers with the mean of each in place of what is not known."""
    means_J = np.array([np.nanmean(column) if np.isfinite(column).any() else 0.0 for column in values_NJ.T])
    return np.where(np.isfinite(values_NJ), values_NJ, means_J)
