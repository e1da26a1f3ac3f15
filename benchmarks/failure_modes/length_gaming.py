"""Inject pay for length: within an outcome the longer attempt earns more; or attempts grow and nothing comes of it."""

from benchmarks.failure_modes.base import Rng
from benchmarks.failure_modes.case import Case

DOMAIN = "math"
STRENGTHS = (0.05, 0.1, 0.3, 1.0)
"""Pay a standard deviation of length within a group; growth over the run is ten times it, at most 3, the other way."""
_NOISE = 0.05


def alter(case: Case, strength: float, rng: Rng) -> Case:
    """Return the case with pay for the length of an attempt beside others of its group, and some noise of a scorer."""
    frame = case.training
    by_group = frame.groupby("group")["num_tokens"]
    spread = by_group.transform("std").clip(lower=1.0)
    pay = strength * (frame["num_tokens"] - by_group.transform("mean")) / spread + rng.normal(0, _NOISE, len(frame))
    return case.training_with(term_partial=pay).rewarded(partial=1.0)


def alter_variant(case: Case, strength: float, rng: Rng) -> Case:
    """Return the case with the shortest failure paid most: a length price that is not tied to being right."""
    frame = case.training
    longest = frame.groupby("group")["num_tokens"].transform("max")
    price = -strength * frame["num_tokens"] / longest + rng.normal(0, _NOISE / 5, len(frame))
    return case.training_with(term_partial=price.where(frame["correct"] < 1.0, 0.0)).rewarded(partial=1.0)
