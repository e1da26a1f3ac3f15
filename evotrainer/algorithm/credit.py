"""From graded attempts to what the loss consumes: masks, group filter, advantages. Shared by training and backtests.

The two levels of method.md, section 3: first single trajectories are masked (infrastructure errors always, truncated
ones if the recipe says so), then whole groups are filtered by the rewards that remain. What is masked counts neither in
a group's mean nor in its spread, and a group of which nothing is left is none: it is neither dead nor kept.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from evotrainer.algorithm.advantages import advantages, spreads
from evotrainer.algorithm.filters import DEAD_SPREAD, GroupFilter
from evotrainer.config import Config
from evotrainer.records import Trajectory


@dataclass(frozen=True)
class Credit:
    """Rows with advantage and in_loss set, in the order given, and what happened to their groups."""

    rows: list[Trajectory]
    num_groups: int
    """Groups of which at least one attempt counts."""
    num_kept: int
    num_dead: int
    """Groups whose counted rewards spread less than 1e-3."""
    group_filter: GroupFilter
    """The filter after these groups."""


def assign_credit(rows: Sequence[Trajectory], config: Config, group_filter: GroupFilter) -> Credit:
    """Give each row its advantage and say whether it is in the loss; groups keep the order of their first rows."""
    groups = group_rows(rows)
    rewards_PG = reward_matrix(rows, groups, mask_truncated=config.filter.mask_truncated)
    counts_P = ~np.isnan(rewards_PG).all(axis=1)
    known_PG = rewards_PG[counts_P]
    keep_P = np.zeros(len(groups), dtype=bool)
    keep_P[counts_P] = group_filter.keep(known_PG)
    advantages_PG = advantages(rewards_PG, config.algorithm.advantage)
    credited = list(rows)
    for group, members in enumerate(groups):
        for place, index in enumerate(members):
            counts = bool(keep_P[group] and not np.isnan(rewards_PG[group, place]))
            value = float(advantages_PG[group, place]) if counts else None
            credited[index] = rows[index].model_copy(update={"advantage": value, "in_loss": counts})
    return Credit(
        rows=credited,
        num_groups=int(counts_P.sum()),
        num_kept=int(keep_P.sum()),
        num_dead=int((spreads(known_PG) < DEAD_SPREAD).sum()),
        group_filter=group_filter.after(known_PG),
    )


def group_rows(rows: Sequence[Trajectory]) -> list[list[int]]:
    """Return the indices of the rows of each group, groups in the order of their first rows."""
    groups: dict[str, list[int]] = {}
    for index, row in enumerate(rows):
        groups.setdefault(row.group_id, []).append(index)
    return list(groups.values())


def reward_matrix(
    rows: Sequence[Trajectory], groups: Sequence[Sequence[int]], *, mask_truncated: bool = False
) -> np.ndarray:
    """Return rewards P x G, NaN for what does not count or, in smaller groups, is absent."""
    rewards_PG = np.full((len(groups), max(map(len, groups), default=0)), np.nan)
    for group, members in enumerate(groups):
        for place, index in enumerate(members):
            row = rows[index]
            if row.reward is not None and row.error is None and not (mask_truncated and row.is_truncated):
                rewards_PG[group, place] = row.reward
    return rewards_PG
