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
    groups = Groups.of(rows)
    masked = masked_rows(rows, config, code)
    counted = np.array([counts(row, index, masked) for index, row in enumerate(rows)], dtype=bool)
    rewards_N = np.array([row.reward if used else np.nan for row, used in zip(rows, counted, strict=True)], dtype=float)
    credit = credit_columns(rewards_N, groups, config, group_filter, kept_by_code(rows, counted, groups, config, code))
    return Credit(
        rows=[
            row.model_copy(update={"advantage": value if in_loss else None, "in_loss": in_loss})
            for row, value, in_loss in zip(rows, credit.advantages.tolist(), credit.in_loss.tolist(), strict=True)
        ],
        num_groups=len(credit.known),
        num_kept=credit.num_kept,
        num_dead=int((spreads(credit.known) < DEAD_SPREAD).sum()),
        group_filter=group_filter.after(credit.known),
    )


@dataclass(frozen=True, eq=False)
class CreditColumns:
    """Credit of each row, and the rewards it was given by."""

    advantages: np.ndarray
    """[N]"""
    in_loss: np.ndarray
    """[N]"""
    known: np.ndarray
    """Rewards of the groups of which at least one attempt counts, P x G."""
    num_kept: int


def credit_columns(
    rewards_N: np.ndarray, groups: Groups, config: Config, group_filter: GroupFilter, kept_P: np.ndarray
) -> CreditColumns:
    """Return the credit of rows as columns; NaN is the reward of what does not count.

    `kept_P` tells which groups code of the recipe leaves in.
    """
    rewards_PG = groups.matrix(rewards_N, np.nan)
    is_counted_PG = ~np.isnan(rewards_PG)
    counts_P = reduce(np.logical_or, is_counted_PG.T, np.zeros(len(rewards_PG), dtype=bool))
    known_PG = rewards_PG if counts_P.all() else rewards_PG[counts_P]
    keep_P = np.zeros(len(rewards_PG), dtype=bool)
    keep_P[counts_P] = group_filter.keep(known_PG)
    keep_P &= kept_P
    advantages_PG = advantages(rewards_PG, config.algorithm.advantage)
    in_loss_N = groups.column(keep_P[:, None] & is_counted_PG)
    return CreditColumns(groups.column(advantages_PG), in_loss_N, known_PG, int(keep_P.sum()))


def kept_by_code(
    rows: Sequence[Trajectory], counted: np.ndarray, groups: Groups, config: Config, code: RecipeCode
) -> np.ndarray:
    """Return which groups filter.group_code keeps, [P]; it is shown the rows that count. Raises CodeError."""
    if not config.filter.group_code:
        return np.ones(len(groups.sizes), dtype=bool)
    return code.kept(rows, [[i for i in members if counted[i]] for members in groups.rows_of], config.filter)


def reward_matrix(rows: Sequence[Trajectory], masked: Set[int] = frozenset()) -> np.ndarray:
    """Return rewards P x G, NaN for what does not count or, in smaller groups, is absent; `masked` are indices."""
    rewards = [row.reward if counts(row, index, masked) else np.nan for index, row in enumerate(rows)]
    return Groups.of(rows).matrix(np.array(rewards, dtype=float), np.nan)


def counts(row: Trajectory, index: int, masked: Set[int]) -> bool:
    """Return whether the row at `index` counts in its group: it has a reward, no error, and is not masked."""
    return row.reward is not None and row.error is None and index not in masked
