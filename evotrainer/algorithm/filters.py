"""Group filters: which groups of a batch reach the loss. One definition for training and for backtests.

A filter looks at the spread (standard deviation) of rewards in each group, in the order in which groups were sampled.
`keep` is pure; `after` gives the filter that has seen these groups too. Only `std` has a memory.

    none            all groups
    group_variance  groups whose spread is at least 1e-3 (a dead group teaches a group-normalised estimator nothing)
    std             StdGroupFilter of EvoTrainer (arXiv 2606.03108): spread >= mean - z*sd, both exponential moving over
                    the groups seen, z = Phi^-1(keep_ratio); spread 0 is always dropped; the first 20 groups meet that
                    rule alone; at least min_keep of the groups stay, the widest first, as far as they have any spread
    ragen_v1        the keep_ratio share of groups with the largest spread, at least one: uncertainty filtering of
                    RAGEN (arXiv 2504.20073, section 3.2; its own runs keep 25% to 50%)
    ragen_v2        SNR-aware filtering of RAGEN-2 (arXiv 2604.06268): groups with any spread, widest first, until
                    their summed spread reaches keep_ratio * total - 0.01; as in its published rollout_filter.py
                    (top_p, linear, zero groups left out, value 0.9), which scores by the standard deviation although
                    it names it variance

Trajectory masks (the first of the two levels) are in credit.py: a masked attempt is NaN here. A filter of an
intervention's own code drops groups beside these rules (credit.py).
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from itertools import islice
from statistics import NormalDist

import numpy as np

from evotrainer.algorithm.advantages import spreads
from evotrainer.config import FilterConfig

DEAD_SPREAD = 1e-3
NO_SPREAD = 1e-9
FIRST_GROUPS = 20
SNR_SLACK = 0.01


@dataclass(frozen=True)
class GroupFilter:
    """A filter and what it remembers: moving mean and variance of the spread, and the number of groups seen."""

    config: FilterConfig
    mean: float = 0.0
    variance: float = 0.0
    num_seen: int = 0

    def keep(self, rewards_PG: np.ndarray) -> np.ndarray:
        """Return which groups reach the loss, booleans [P]."""
        return FILTERS[self.config.group](self, spreads(rewards_PG))

    def after(self, rewards_PG: np.ndarray) -> "GroupFilter":
        """Return the filter that has also seen these groups."""
        *_, (mean, variance, num_seen) = self.memories(spreads(rewards_PG))
        return replace(self, mean=mean, variance=variance, num_seen=num_seen)

    def memories(self, spreads_P: np.ndarray) -> Iterator[tuple[float, float, int]]:
        """Yield (mean, variance, number seen) before each group and after the last; the first group sets the mean."""
        mean, variance, num_seen, decay = self.mean, self.variance, self.num_seen, self.config.ema_decay
        yield mean, variance, num_seen
        for spread in spreads_P.tolist():
            if num_seen == 0:
                mean = spread
            else:
                gap = spread - mean
                variance = (1 - decay) * (variance + decay * gap * gap)
                mean = mean + decay * gap
            num_seen += 1
            yield mean, variance, num_seen


def _keep_std(state: GroupFilter, spreads_P: np.ndarray) -> np.ndarray:
    keep = (spreads_P > NO_SPREAD) & (spreads_P >= np.array(_std_limits(state, spreads_P)))
    missing = int(np.ceil(state.config.min_keep * len(spreads_P))) - int(keep.sum())
    if missing > 0:
        left = [group for group in _widest_first(spreads_P) if not keep[group] and spreads_P[group] > NO_SPREAD]
        keep[left[:missing]] = True
    return keep


def _std_limits(state: GroupFilter, spreads_P: np.ndarray) -> list[float]:
    """Return the least spread that each group must have, given the groups before it."""
    z = NormalDist().inv_cdf(min(state.config.keep_ratio, 1 - 1e-9))
    before = islice(state.memories(spreads_P), len(spreads_P))
    return [mean - z * variance**0.5 if seen >= FIRST_GROUPS else 0.0 for mean, variance, seen in before]


def _keep_widest_share(state: GroupFilter, spreads_P: np.ndarray) -> np.ndarray:
    count = max(1, int(state.config.keep_ratio * len(spreads_P)))
    keep = np.zeros(len(spreads_P), dtype=bool)
    keep[_widest_first(spreads_P)[:count]] = True
    return keep


def _keep_signal(state: GroupFilter, spreads_P: np.ndarray) -> np.ndarray:
    keep = np.zeros(len(spreads_P), dtype=bool)
    wanted, order = state.config.keep_ratio * spreads_P.sum() - SNR_SLACK, _widest_first(spreads_P)
    reached = np.concatenate([[0.0], np.cumsum(spreads_P[order])])[:-1]
    is_enough = (spreads_P[order] <= NO_SPREAD) | ((reached >= wanted) & (state.config.keep_ratio < 1))
    keep[order[: int(np.argmax(is_enough)) if is_enough.any() else len(order)]] = True
    return keep


def _widest_first(spreads_P: np.ndarray) -> np.ndarray:
    return np.argsort(-spreads_P, kind="stable")


FILTERS: dict[str, Callable[[GroupFilter, np.ndarray], np.ndarray]] = {
    "none": lambda state, spreads_P: np.ones(len(spreads_P), dtype=bool),
    "group_variance": lambda state, spreads_P: spreads_P >= DEAD_SPREAD,
    "std": _keep_std,
    "ragen_v1": _keep_widest_share,
    "ragen_v2": _keep_signal,
}
"""Which groups stay, booleans [P], of the filter so far and their spreads."""
