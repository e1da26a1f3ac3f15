"""From graded attempts to what the loss consumes: masks, group filter, advantages. Shared by training and backtests.

First single trajectories are masked, infrastructure errors always, others if the recipe says so:

    truncated   a limit of tokens or turns cut the attempt
    abandon     the policy ended an episode of several turns without an edit that took effect
    idle        two or more turns before its last one called no tool, and these are at least half of them
    echo        at least three calls, and three in ten of all, repeat an earlier one with no edit in between
    code        filter.mask_code says so

Then whole groups are filtered by the rewards that remain. What is masked counts neither in a group's mean nor in its
spread: a degenerate episode neither teaches nor sets the baseline that others are measured by (EvoTrainer, arXiv
2606.03108). A group of which nothing is left is none: it is neither dead nor kept. What a call is, harness.actions and
the table of actions say.
"""

from collections.abc import Sequence, Set
from dataclasses import dataclass
from functools import reduce

import numpy as np

from evotrainer.actions import ActionClassifier, action_classifier
from evotrainer.algorithm.advantages import advantages, spreads
from evotrainer.algorithm.code import NO_CODE, RecipeCode
from evotrainer.algorithm.filters import DEAD_SPREAD, GroupFilter
from evotrainer.algorithm.groups import Groups
from evotrainer.config import Config
from evotrainer.evidence.features import calls_by_turn
from evotrainer.evidence.tool_features import tool_features
from evotrainer.records import Message, Trajectory

MIN_IDLE_TURNS, IDLE_SHARE = 2, 0.5
MIN_REPEATS, REPEAT_SHARE = 3, 0.3


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


def masked_rows(rows: Sequence[Trajectory], config: Config, code: RecipeCode = NO_CODE) -> frozenset[int]:
    """Return the indices of the rows that a recipe leaves out of the loss; raises CodeError where its code fails."""
    masks, is_long = config.filter, config.sampling.max_turns > 1
    is_truncated_N = np.array([row.is_truncated for row in rows], dtype=bool)
    is_masked_N = is_truncated_N & masks.mask_truncated
    if masks.mask_idle or masks.mask_echo or (masks.mask_abandon and is_long):
        classifier = action_classifier(config.harness.actions)
        found = np.array([_read(row.messages, classifier) for row in rows], dtype=bool)
        has_edits_N, is_idle_N, is_echo_N = found.reshape(-1, 3).T
        is_masked_N = is_masked_N | (is_idle_N & masks.mask_idle) | (is_echo_N & masks.mask_echo)
        is_masked_N |= ~is_truncated_N & ~has_edits_N & (masks.mask_abandon and is_long)
    return code.masked(rows, config.filter) | frozenset(np.flatnonzero(is_masked_N).tolist())


def _read(messages: Sequence[Message], classifier: ActionClassifier) -> tuple[bool, bool, bool]:
    """Return whether an attempt has an edit not known to have failed, mostly did nothing, and went in circles."""
    turns = calls_by_turn(messages)
    found = tool_features(messages, turns, classifier)
    num_idle = found["num_idle_turns"] - (bool(turns) and not turns[-1])
    repeats = found["num_repeated_calls"]
    return (
        found["first_edit_turn"] is not None,
        num_idle >= MIN_IDLE_TURNS and num_idle >= IDLE_SHARE * (len(turns) - 1),
        repeats >= MIN_REPEATS and repeats >= REPEAT_SHARE * found["num_tool_calls"],
    )
