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
from dataclasses import dataclass

import numpy as np

from evotrainer.actions import ActionClassifier, action_classifier
from evotrainer.algorithm.code import NO_CODE, RecipeCode
from evotrainer.config import Config
from evotrainer.records import Message, ToolCall, Trajectory

MIN_IDLE_TURNS, IDLE_SHARE = 2, 0.5
MIN_REPEATS, REPEAT_SHARE = 3, 0.3


def masked_rows(rows: Sequence[Trajectory], config: Config, code: RecipeCode = NO_CODE) -> frozenset[int]:
    """Return the indices of the rows that a recipe leaves out of the loss; raises CodeError where its code fails."""
    masks, is_long = config.filter, config.sampling.max_turns > 1
    is_truncated_N = np.array([row.is_truncated for row in rows], dtype=bool)
    is_masked_N = is_truncated_N & masks.mask_truncated
    if masks.mask_idle or masks.mask_echo or (masks.mask_abandon and is_long):
        seen = _read_episodes(rows, config)
        is_masked_N = is_masked_N | (seen.is_idle & masks.mask_idle) | (seen.is_echo & masks.mask_echo)
        is_masked_N |= ~is_truncated_N & ~seen.has_edits & (masks.mask_abandon and is_long)
    return code.masked(rows, config.filter) | frozenset(np.flatnonzero(is_masked_N).tolist())


@dataclass(frozen=True, eq=False)
class _Episodes:
    """What attempts did with their tools, booleans [N]."""

    has_edits: np.ndarray
    """Some edit is not known to have failed."""
    is_idle: np.ndarray
    is_echo: np.ndarray


def _read_episodes(rows: Sequence[Trajectory], config: Config) -> _Episodes:
    """Return what the attempts of these rows did, by the table of actions of the harness."""
    classifier = action_classifier(config.harness.actions)
    found = [_read(row.messages, classifier) for row in rows]
    return _Episodes(
        np.array([episode.num_edits > 0 for episode in found], dtype=bool),
        np.array([episode.is_idle for episode in found], dtype=bool),
        np.array([episode.is_echo for episode in found], dtype=bool),
    )


@dataclass
class _Episode:
    """What an attempt did with its tools."""

    num_edits: int = 0
    """Edits that are not known to have failed."""
    num_calls: int = 0
    num_repeats: int = 0
    """Calls that equal an earlier one with no edit in between."""
    num_turns: int = 0
    num_idle: int = 0
    """Turns before the last one that called no tool."""

    @property
    def is_idle(self) -> bool:
        """Whether it mostly did nothing."""
        return self.num_idle >= MIN_IDLE_TURNS and self.num_idle >= IDLE_SHARE * (self.num_turns - 1)

    @property
    def is_echo(self) -> bool:
        """Whether it went in circles."""
        return self.num_repeats >= MIN_REPEATS and self.num_repeats >= REPEAT_SHARE * self.num_calls


def _read(messages: Sequence[Message], classifier: ActionClassifier) -> _Episode:
    episode, since_edit = _Episode(), set[str]()
    turns = [place for place, message in enumerate(messages) if message.role == "assistant"]
    episode.num_turns = len(turns)
    episode.num_idle = sum(not messages[place].tool_calls for place in turns[:-1])
    for place in turns:
        for number, call in enumerate(messages[place].tool_calls, start=1):
            key = f"{call.name} {sorted(call.arguments.items())}"
            episode.num_calls += 1
            episode.num_repeats += key in since_edit
            since_edit.add(key)
            if _edits(call, key, messages[place + number : place + number + 1], classifier):
                episode.num_edits += 1
                since_edit = {key}
    return episode


def _edits(call: ToolCall, key: str, answer: Sequence[Message], classifier: ActionClassifier) -> bool:
    """Return whether a call is an edit that is not known to have failed."""
    if not any(action.kind == "edit" for action in classifier.actions(call, key)):
        return False
    if not answer or answer[0].role == "assistant":
        return True
    return answer[0].ok if answer[0].ok is not None else not classifier.tells_failed_edit(answer[0].content)
