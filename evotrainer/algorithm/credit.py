"""From graded attempts to what the loss consumes: masks, group filter, advantages. Shared by training and backtests.

The two levels of method.md, section 3: first single trajectories are masked (infrastructure errors always, truncated
and degenerate ones if the recipe says so: masks.py), then whole groups are filtered by the rewards that remain. What is
masked counts neither in a group's mean nor in its spread, and a group of which nothing is left is none: it is neither
dead nor kept.
"""

from collections.abc import Sequence, Set
from dataclasses import dataclass

import numpy as np

from evotrainer.algorithm.advantages import advantages, spreads
from evotrainer.algorithm.code import NO_CODE, RecipeCode
from evotrainer.algorithm.filters import DEAD_SPREAD, GroupFilter
from evotrainer.algorithm.masks import masked_rows
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


def assign_credit(
    rows: Sequence[Trajectory], config: Config, group_filter: GroupFilter, code: RecipeCode = NO_CODE
) -> Credit:
    """Give each row its advantage and say whether it is in the loss; groups keep the order of their first rows.

    Raises:
        CodeError: a mask or a group filter of the recipe's own code failed.

    """
    groups = group_rows(rows)
    masked = masked_rows(rows, config, code)
    rewards_PG = reward_matrix(rows, groups, masked)
    counts_P = ~np.isnan(rewards_PG).all(axis=1)
    known_PG = rewards_PG[counts_P]
    keep_P = np.zeros(len(groups), dtype=bool)
    keep_P[counts_P] = group_filter.keep(known_PG)
    keep_P &= code.kept(rows, [[i for i in members if counts(rows[i], i, masked)] for members in groups], config.filter)
    advantages_PG = advantages(rewards_PG, config.algorithm.advantage)
    credited = list(rows)
    for group, members in enumerate(groups):
        for place, index in enumerate(members):
            in_loss = bool(keep_P[group] and not np.isnan(rewards_PG[group, place]))
            value = float(advantages_PG[group, place]) if in_loss else None
            credited[index] = rows[index].model_copy(update={"advantage": value, "in_loss": in_loss})
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
    rows: Sequence[Trajectory], groups: Sequence[Sequence[int]], masked: Set[int] = frozenset()
) -> np.ndarray:
    """Return rewards P x G, NaN for what does not count or, in smaller groups, is absent; `masked` are indices."""
    rewards_PG = np.full((len(groups), max(map(len, groups), default=0)), np.nan)
    for group, members in enumerate(groups):
        for place, index in enumerate(members):
            if counts(rows[index], index, masked):
                rewards_PG[group, place] = rows[index].reward
    return rewards_PG


def counts(row: Trajectory, index: int, masked: Set[int]) -> bool:
    """Return whether the row at `index` counts in its group: it has a reward, no error, and is not masked."""
    return row.reward is not None and row.error is None and index not in masked
