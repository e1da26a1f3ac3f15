"""From graded attempts to what the loss consumes: masks, group filter, advantages. Shared by training and backtests.

The two levels of method.md, section 3: first single trajectories are masked (infrastructure errors always, truncated
and degenerate ones if the recipe says so: masks.py), then whole groups are filtered by the rewards that remain. What is
masked counts neither in a group's mean nor in its spread, and a group of which nothing is left is none: it is neither
dead nor kept.
"""

from collections.abc import Sequence, Set
from dataclasses import dataclass
from functools import reduce

import numpy as np

from evotrainer.algorithm.advantages import advantages, spreads
from evotrainer.algorithm.code import NO_CODE, RecipeCode
from evotrainer.algorithm.filters import DEAD_SPREAD, GroupFilter
from evotrainer.algorithm.groups import Groups
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
    groups, masked = Groups.of(rows), masked_rows(rows, config, code)
    rewards_PG = reward_matrix(rows, masked)
    is_counted_PG = ~np.isnan(rewards_PG)
    counts_P = reduce(np.logical_or, is_counted_PG.T, np.zeros(len(rewards_PG), dtype=bool))
    known_PG = rewards_PG if counts_P.all() else rewards_PG[counts_P]
    keep_P = np.zeros(len(rewards_PG), dtype=bool)
    keep_P[counts_P] = group_filter.keep(known_PG)
    if config.filter.group_code:
        counted = groups.column(is_counted_PG)
        keep_P &= code.kept(rows, [[i for i in members if counted[i]] for members in groups.rows_of], config.filter)
    advantages_N = groups.column(advantages(rewards_PG, config.algorithm.advantage))
    in_loss_N = groups.column(keep_P[:, None] & is_counted_PG)
    return Credit(
        rows=[
            row.model_copy(update={"advantage": value if in_loss else None, "in_loss": in_loss})
            for row, value, in_loss in zip(rows, advantages_N.tolist(), in_loss_N.tolist(), strict=True)
        ],
        num_groups=len(known_PG),
        num_kept=int(keep_P.sum()),
        num_dead=int((spreads(known_PG) < DEAD_SPREAD).sum()),
        group_filter=group_filter.after(known_PG),
    )


def reward_matrix(rows: Sequence[Trajectory], masked: Set[int] = frozenset()) -> np.ndarray:
    """Return rewards P x G, NaN for what does not count or, in smaller groups, is absent; `masked` are indices."""
    rewards = [
        np.nan if row.reward is None or row.error is not None or index in masked else row.reward
        for index, row in enumerate(rows)
    ]
    return Groups.of(rows).matrix(np.array(rewards, dtype=float), np.nan)
