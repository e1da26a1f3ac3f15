"""GEAR's formulas, from numbers to numbers (arXiv 2605.13874, section on parent selection).

    score(e) = g_e + c sqrt(ln(N + 2) / (n_e + 1)) - recency + lam novelty + gam coverage

g_e mean credited gain of its children, n_e its expansions, N all experiments. Deviation: a gain is divided by the
campaign's measured noise floor, held within `MOST_FLOORS`, and times `unit`; the paper adds gains of about 1e-3 to
bonuses of .1 to .2, so that bonuses alone decide.
"""

import math
from collections.abc import Collection, Sequence

from evotrainer.config import GearConfig

MOST_FLOORS = 3.0
"""A gain beyond this many noise floors counts as this many: one lucky child does not hold the search for long."""
RECENT, SOON = 1, 3
"""Experiments since a parent's last use up to which it is just used, or was used not long ago."""
SECOND_PARENT = 0.5
"""Share of a crossover's gain that is credited to its second parent."""


def normalised(gain: float, floor: float, unit: float) -> float:
    """Return a gain in the unit of the bonuses: `unit` a noise floor, at most three floors."""
    return unit * max(-MOST_FLOORS, min(MOST_FLOORS, gain / floor))


def mean_gain(credited: Sequence[float]) -> float:
    """Return the mean of credited gains; 0 for a parent without children."""
    return sum(credited) / len(credited) if credited else 0.0


def exploration(num_expansions: int, num_experiments: int, weight: float) -> float:
    """Return the bonus of a parent that was seldom expanded."""
    return weight * math.sqrt(math.log(num_experiments + 2) / (num_expansions + 1))


def recency(age: int | None, numbers: GearConfig) -> float:
    """Return the penalty of a parent used `age` experiments ago; 0 for one never used."""
    if age is None or age > SOON:
        return 0.0
    return -(numbers.recency_now if age <= RECENT else numbers.recency_soon)


def distance(first: Collection[str], second: Collection[str]) -> float:
    """Return the Jaccard distance of two descriptions; 0 for two empty ones."""
    union = set(first) | set(second)
    return 1 - len(set(first) & set(second)) / len(union) if union else 0.0


def novelty(tokens: Collection[str], recent: Sequence[Collection[str]]) -> float:
    """Return the least distance to the parents of the last experiments; 1 where there were none."""
    return min((distance(tokens, other) for other in recent), default=1.0)


def coverage(density: int) -> float:
    """Return the bonus of a role and topic that few versions have."""
    return 1 / math.sqrt(density + 1)


def weights(num_experiments: int, numbers: GearConfig) -> tuple[float, float]:
    """Return the weights of novelty and coverage, which fall after `late_after` experiments."""
    is_late = num_experiments > numbers.late_after
    return (numbers.novelty_late, numbers.coverage_late) if is_late else (numbers.novelty, numbers.coverage)


def second_parent(
    complement: float, has_other_role: bool, is_better: bool, num_pairings: int, numbers: GearConfig
) -> float:
    """Return how good a second parent is: what it adds, another role, a better score, less each earlier pairing."""
    bonus = numbers.other_role * has_other_role + numbers.better * is_better
    return complement + bonus - numbers.pairing * num_pairings


def complement(first: Collection[str], second: Collection[str]) -> float:
    """Return the share of both descriptions that the second adds to the first."""
    union = set(first) | set(second)
    return len(set(second) - set(first)) / len(union) if union else 0.0
