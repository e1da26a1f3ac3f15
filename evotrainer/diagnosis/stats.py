"""Tests that checks, levers and the search for gaps share: shares, pay within problems, spreading, dependence.

A stratum is what attempts are compared within: a problem, or a problem and an outcome. Within a stratum a mark without
meaning falls on a random subset of attempts, so the sum over strata of what marked attempts get has a distribution that
is known: for values of 0 and 1 the convolution of hypergeometric ones, exact at any size. Beyond that a permutation
within strata. So hard and easy problems explain nothing of what is found. A test shows association, not cause.

All levels of error stand in checks.py. Arrays have one entry an attempt; `nan` is unknown and left out.
"""

import math
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy import special

Floats = NDArray[np.float64]
Bools = NDArray[np.bool_]
Codes = NDArray[np.int64]

MAX_EXACT = 150
"""Strata up to which distributions are exact or drawn; with more the normal one differs by less than they cost."""
DRAWS = 1999
"""Permutations of a test whose values are graded: p is known to .0005."""
SEARCH_DRAWS = 399
"""Permutations of a search over columns."""
MAX_SEARCHED = 20_000
"""Rows of a search over columns; of more an even sample is taken."""
TINY = 1e-9
"""Difference of numbers that rounding makes."""
MAX_LEVELS = 12
"""Values of a text column that a search looks at, the commonest first."""
MIN_LEVEL = 5
"""Rows that a value of a text column needs: fewer explain nothing of a run."""


@dataclass(frozen=True)
class Effect:
    """What marked attempts get beyond unmarked ones of the same stratum."""

    difference: float
    """In units of the value, weighted over strata that hold both."""
    p: float
    """Chance of so large a difference where the mark means nothing; one-sided."""
    least_p: float
    """The smallest p that these counts could give: above the level in force nothing can be judged."""
    num_strata: int
    """Strata that hold marked and unmarked attempts."""


@dataclass(frozen=True)
class Change:
    """A share in the first and in the last third of steps."""

    early: float
    late: float
    p: float
    """Chance of so large a rise where steps mean nothing."""


@dataclass(frozen=True)
class Dependence:
    """How a value goes with one column, or with one level of it, within strata."""

    column: str
    level: str
    """The value of a text column that it goes with; empty for a column of numbers."""
    z: float
    """Standardised association; its sign is that of the difference."""
    difference: float
    """Mean value at this level, or in the upper half of the column, minus that of others of the stratum."""
    p: float
    """Chance that the largest association over all columns is as large, by permutation within strata."""


def tail_above(count: int, total: int, limit: float) -> float:
    """Return the chance of `count` or more of `total` where each has the chance `limit`: exact binomial."""
    return 1.0 if count <= 0 else float(special.bdtrc(count - 1, total, limit)) if total else 1.0


def tail_below(count: int, total: int, limit: float) -> float:
    """Return the chance of `count` or fewer of `total` where each has the chance `limit`: exact binomial."""
    return float(special.bdtr(count, total, limit)) if total else 1.0


def within(strata: Codes, is_marked: Bools, value: Floats) -> Effect | None:
    """Compare the value of marked and unmarked attempts stratum by stratum; None where no stratum holds both."""
    is_known = np.isfinite(value)
    strata, is_marked, value = strata[is_known], is_marked[is_known], value[is_known]
    if not len(value):
        return None
    codes = np.unique(strata, return_inverse=True)[1]
    size, marked = np.bincount(codes), np.bincount(codes, is_marked)
    is_mixed = (marked > 0) & (marked < size)
    if not is_mixed.any():
        return None
    total, both = np.bincount(codes, value), np.bincount(codes, value * is_marked)
    others = size - marked
    weight = marked * others / size
    gap = np.where(is_mixed, both / np.maximum(marked, 1) - (total - both) / np.maximum(others, 1), 0.0)
    difference = float((gap * weight)[is_mixed].sum() / weight[is_mixed].sum())
    counts = (size[is_mixed], total[is_mixed], marked[is_mixed], both[is_mixed])
    if np.isin(value, (0.0, 1.0)).all() and len(counts[0]) <= MAX_EXACT:
        p, least = _exact_tail(*(column.astype(np.int64) for column in counts))
    else:
        keep = is_mixed[codes]
        p, least = _drawn_tail(codes[keep], is_marked[keep], value[keep])
    return Effect(difference, p, least, int(is_mixed.sum()))


def spreads(is_marked: Bools, step: Floats) -> Change | None:
    """Compare the share of marked attempts in the last third of steps with the first; None below three steps."""
    found = thirds(step)
    if found is None:
        return None
    early, late = (is_marked[part] for part in found)
    p = _hypergeometric_tail(len(early) + len(late), int(early.sum() + late.sum()), len(late), int(late.sum()))
    return Change(float(early.mean()), float(late.mean()), p)


def thirds(step: Floats) -> tuple[Bools, Bools] | None:
    """Tell which attempts are of the first third of steps, and which of the last; None below three steps."""
    steps = np.unique(step[np.isfinite(step)])
    third = len(steps) // 3
    return (step <= steps[third - 1], step >= steps[-third]) if third else None


def two_shares(is_marked: Bools, is_part: Bools) -> float:
    """Return the chance that a part holds so many marks where they fall at random: Fisher's exact test."""
    inside = is_marked & is_part
    return _hypergeometric_tail(len(is_marked), int(is_marked.sum()), int(is_part.sum()), int(inside.sum()))


def depends(
    value: Floats, columns: Mapping[str, Any], given: Codes | None = None, draws: int = SEARCH_DRAWS, seed: int = 0
) -> list[Dependence]:
    """Return how a value goes with each column within the strata `given`, the strongest first.

    Every p is that of the largest association over all columns under permutations of the value within strata, so a
    search over forty columns needs no correction. Over many strata it is the normal tail times the columns. A column of
    numbers enters by its ranks, a column of texts by its commonest values, and what is unknown as a value of its own.
    """
    use = np.flatnonzero(np.isfinite(value))
    use = use[:: -(-len(use) // MAX_SEARCHED)] if len(use) > MAX_SEARCHED else use
    value = value[use]
    strata = np.zeros(len(use), np.int64) if given is None else np.unique(given[use], return_inverse=True)[1]
    names, marks = _marks({name: np.asarray(column)[use] for name, column in columns.items()})
    if not names or len(value) < 3:
        return []
    centred, spread = _centred(value[:, None], strata)
    marks, marks_spread = _centred(marks, strata)
    scale = np.sqrt((spread * marks_spread / np.maximum(np.bincount(strata) - 1, 1)[:, None]).sum(axis=0))
    is_live = scale > TINY
    if not is_live.any():
        return []
    names, marks, scale = [n for n, live in zip(names, is_live, strict=True) if live], marks[:, is_live], scale[is_live]
    z = (marks.T @ centred[:, 0]) / scale
    if len(spread) > MAX_EXACT:
        p = np.minimum(1.0, 2 * len(z) * special.ndtr(-np.abs(z)))
    else:
        drawn = [np.abs(marks.T @ one / scale).max() for one in shuffles(centred[:, 0], strata, draws, seed)]
        p = (1 + (np.array(drawn)[:, None] >= np.abs(z) - TINY).sum(axis=0)) / (1 + draws)
    weight = np.maximum((marks**2).sum(axis=0), TINY)
    found = [
        Dependence(
            name,
            level,
            float(z[i]),
            float(z[i] * scale[i] / weight[i]) * (1.0 if level else 0.5),  # half a rank parts the halves' means
            float(p[i]),
        )
        for i, (name, level) in enumerate(names)
    ]
    return sorted(found, key=lambda one: (-abs(one.z), one.column, one.level))


def shuffles(value: Floats, strata: Codes, draws: int, seed: int) -> Iterator[Floats]:
    """Yield permutations of a value within strata."""
    order, generator, shuffled = np.argsort(strata, kind="stable"), np.random.default_rng(seed), np.empty(len(value))
    for _ in range(draws):
        shuffled[order] = value[np.argsort(strata + generator.random(len(value)))]
        yield shuffled


def _marks(columns: Mapping[str, Any]) -> tuple[list[tuple[str, str]], Floats]:
    """Return (column, level) of each mark, and the marks as a matrix: ranks in [0, 1], or 0 and 1 for one level."""
    names: list[tuple[str, str]] = []
    marks: list[Floats] = []
    for name, column in columns.items():
        if column.dtype.kind in "biuf":
            numbers = column.astype(float)
            is_known = np.isfinite(numbers)
            distinct, codes = np.unique(numbers[is_known], return_inverse=True)
            if len(distinct) > 1:
                places = np.cumsum(np.bincount(codes)) - np.bincount(codes) / 2
                ranks = np.full(len(numbers), 0.5)
                ranks[is_known] = places[codes] / len(codes)
                names.append((name, ""))
                marks.append(ranks)
        else:
            texts = np.array(["" if one is None or one != one else str(one) for one in column], dtype=object)
            counts = Counter(texts)
            levels = [level for level, count in counts.most_common(MAX_LEVELS) if MIN_LEVEL <= count < len(texts)]
            names += [(name, level) for level in levels]
            marks += [(texts == level).astype(float) for level in levels]
    return names, np.array(marks).T if marks else np.zeros((0, 0))


def _centred(matrix: Floats, strata: Codes) -> tuple[Floats, Floats]:
    """Return columns minus their stratum's mean, and the sums of squares by stratum: strata x columns."""
    size = np.bincount(strata)
    centred = np.empty_like(matrix, dtype=float)
    squares = np.empty((len(size), matrix.shape[1]))
    for i in range(matrix.shape[1]):
        means = np.bincount(strata, matrix[:, i]) / size
        centred[:, i] = matrix[:, i] - means[strata]
        squares[:, i] = np.bincount(strata, centred[:, i] ** 2)
    return centred, squares


def _exact_tail(size: Codes, good: Codes, marked: Codes, both: Codes) -> tuple[float, float]:
    """Return P(sum of marked successes >= observed), and the smallest value it could have, by convolution."""
    distribution = np.ones(1)
    for (n, successes, drawn), count in sorted(Counter(zip(size, good, marked, strict=True)).items()):
        one = _hypergeometric(int(n), int(successes), int(drawn))
        for _ in range(count):
            distribution = np.convolve(distribution, one)
    most = int(np.minimum(good, marked).sum())
    return min(1.0, float(distribution[int(both.sum()) :].sum())), float(distribution[most])


def _hypergeometric(total: int, good: int, drawn: int) -> Floats:
    """Return P(k of the drawn are good) for k = 0 .. min(good, drawn)."""
    k = np.arange(min(good, drawn) + 1)
    possible = drawn - k <= total - good
    logs = _log_choose(good, k) + _log_choose(total - good, np.minimum(drawn - k, total - good))
    return np.where(possible, np.exp(logs - _log_choose(total, drawn)), 0.0)


def _log_choose(n: Any, k: Any) -> Any:
    return special.gammaln(n + 1) - special.gammaln(k + 1) - special.gammaln(n - k + 1)


def _hypergeometric_tail(total: int, good: int, drawn: int, both: int) -> float:
    return 1.0 if both <= 0 else min(1.0, float(_hypergeometric(total, good, drawn)[both:].sum()))


def _drawn_tail(codes: Codes, is_marked: Bools, value: Floats) -> tuple[float, float]:
    """Return the tail of the sum over marked attempts: normal in its far part, by permutation elsewhere."""
    dense = np.unique(codes, return_inverse=True)[1]
    centred, squares = _centred(value[:, None], dense)
    size, marked = np.bincount(dense), np.bincount(dense, is_marked)
    variance = float((squares[:, 0] * marked * (size - marked) / (size * np.maximum(size - 1, 1))).sum())
    observed = float(centred[is_marked, 0].sum())
    if variance <= TINY**2:
        return 1.0, 1.0
    far = float(special.ndtr(-observed / math.sqrt(variance)))
    if len(size) > MAX_EXACT:
        return far, 0.0
    above = sum(float(one[is_marked].sum()) >= observed - TINY for one in shuffles(centred[:, 0], dense, DRAWS, 0))
    return (min(1 / (1 + DRAWS), far) if not above else (1 + above) / (1 + DRAWS)), 0.0
