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

from evotrainer.actions import ActionClassifier, action_classifier
from evotrainer.algorithm.code import NO_CODE, RecipeCode
from evotrainer.config import Config
from evotrainer.records import Message, ToolCall, Trajectory

MIN_IDLE_TURNS, IDLE_SHARE = 2, 0.5
MIN_REPEATS, REPEAT_SHARE = 3, 0.3


def masked_rows(rows: Sequence[Trajectory], config: Config, code: RecipeCode = NO_CODE) -> frozenset[int]:
    """Return the indices of the rows that a recipe leaves out of the loss; raises CodeError where its code fails."""
    masks = config.filter
    masked = set(code.masked(rows, masks))
    if masks.mask_truncated:
        masked |= {place for place, row in enumerate(rows) if row.is_truncated}
    if masks.mask_abandon or masks.mask_idle or masks.mask_echo:
        classifier = action_classifier(config.harness.actions)
        masked |= {place for place, row in enumerate(rows) if _is_degenerate(row, config, classifier)}
    return frozenset(masked)


def _is_degenerate(row: Trajectory, config: Config, classifier: ActionClassifier) -> bool:
    masks, episode = config.filter, _read(row.messages, classifier)
    is_long = config.sampling.max_turns > 1
    return (
        (masks.mask_abandon and is_long and not row.is_truncated and episode.num_edits == 0)
        or (masks.mask_idle and episode.is_idle)
        or (masks.mask_echo and episode.is_echo)
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
