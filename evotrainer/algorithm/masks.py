"""Trajectory masks, the first of the two levels of filtering: which attempts are left out of the loss.

    truncated   a limit of tokens or turns cut the attempt
    abandon     the policy ended an episode of several turns without an edit that took effect
    idle        two or more turns before its last one called no tool, and these are at least half of them
    echo        at least three calls, and three in ten of all, repeat an earlier one with no edit in between
    code        filter.mask_code says so

What is masked counts neither in a group's mean nor in its spread: a degenerate episode neither teaches nor sets the
baseline that others are measured by (EvoTrainer, arXiv 2606.03108). What a call is, harness.actions and the table of
actions say. Each mask is off by default.
"""

from collections.abc import Sequence

import numpy as np

from evotrainer.actions import ActionClassifier, action_classifier
from evotrainer.algorithm.code import NO_CODE, RecipeCode
from evotrainer.config import Config
from evotrainer.evidence.features import calls_by_turn
from evotrainer.evidence.tool_features import tool_features
from evotrainer.records import Message, Trajectory

MIN_IDLE_TURNS, IDLE_SHARE = 2, 0.5
MIN_REPEATS, REPEAT_SHARE = 3, 0.3


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
