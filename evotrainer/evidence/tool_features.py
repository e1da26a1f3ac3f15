"""Features of a trajectory's tool calls: actions and their order, the files written, git, repetition.

One pass over the messages. Answers follow their calls in order. An edit that is known to have failed is counted as
such and changes nothing: it is no first edit, and its files are not edited ones.
"""

import math
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import groupby, pairwise
from typing import Any, NamedTuple

from evotrainer.actions import LETTERS, Action, ActionClassifier, standard_classifier
from evotrainer.records import Message, ToolCall

_MAIN = frozenset({"search", "edit", "test"})


class Call(NamedTuple):
    """One tool call; equal keys are equal calls, and `answer` is the message that follows on it, where there is one."""

    call: ToolCall
    key: str
    answer: Message | None


def tool_features(
    messages: Sequence[Message], turns: Sequence[Sequence[Call]], classifier: ActionClassifier
) -> Mapping[str, Any]:
    """Return the tool columns of the features table, in its order; `turns` are the messages' calls by turn."""
    failed = sum([message.ok is False and message.role == "tool" for message in messages])
    if any(turns):
        return _columns(turns, failed, classifier)
    without = _without_calls(len(turns))
    return {**without, "num_failed_tool_calls": failed} if failed else without


@lru_cache
def _without_calls(num_turns: int) -> Mapping[str, Any]:
    return _columns([()] * num_turns, 0, standard_classifier())


def _columns(turns: Sequence[Sequence[Call]], num_failed: int, classifier: ActionClassifier) -> dict[str, Any]:
    seen = _Seen(classifier)
    for turn, calls in enumerate(turns, start=1):
        seen.add_turn(turn, calls)
    labels = [action.tool for action in seen.actions]
    bigrams = list(pairwise(labels))
    counts = Counter(labels)
    return {
        "num_tool_calls": seen.num_calls,
        "num_failed_tool_calls": num_failed,
        "tool_counts": sorted(counts.items()),
        "num_tool_bigrams": len(bigrams),
        "num_unique_tool_bigrams": len(set(bigrams)),
        "longest_tool_run": max((len(list(run)) for _, run in groupby(labels)), default=0),
        "tool_entropy": _entropy(counts),
        "num_repeated_calls": seen.num_repeated,
        "action_sequence": "".join(LETTERS[action.kind] for action in seen.actions),
        **{f"num_{kind}_turns": seen.turns[kind] for kind in ("search", "edit", "test", "other", "idle")},
        "first_edit_turn": seen.first_edit_turn,
        "is_search_before_edit": None if seen.first_edit_turn is None else seen.is_searched_first,
        "is_test_after_last_edit": None if seen.first_edit_turn is None else seen.is_tested,
        "edited_files": sorted(seen.files),
        "num_edited_files": len(seen.files),
        "num_failed_edits": seen.num_failed_edits,
        "num_test_file_writes": seen.num_test_file_writes,
        "num_git_calls": seen.num_git,
        "num_history_reads": seen.num_reads - (seen.num_idle_reads if seen.first_edit_turn is not None else 0),
        "num_history_restores": seen.num_restores,
        "is_submitted": any(action.kind == "submit" for action in seen.actions),
    }


@dataclass
class _Seen:
    """What has happened so far."""

    classifier: ActionClassifier
    actions: list[Action] = field(default_factory=list)
    turns: Counter[str] = field(default_factory=Counter)
    files: set[str] = field(default_factory=set)
    num_calls: int = 0
    num_repeated: int = 0
    num_failed_edits: int = 0
    num_test_file_writes: int = 0
    num_git: int = 0
    num_reads: int = 0
    num_idle_reads: int = 0
    """Reads of history since the last action that may change files."""
    num_restores: int = 0
    first_edit_turn: int | None = None
    has_searched: bool = False
    is_searched_first: bool = False
    is_tested: bool = False
    since_edit: set[str] = field(default_factory=set)
    """Calls made since the last edit: repeating one of them gives no new information."""

    def add_turn(self, turn: int, calls: Sequence[Call]) -> None:
        """Take in the calls of one assistant message, the `turn`-th."""
        met = {action.kind for call in calls for action in self._add_call(turn, call)}
        self.turns.update((met & _MAIN) or ({"other"} if calls else {"idle"}))

    def _add_call(self, turn: int, call: Call) -> tuple[Action, ...]:
        actions = self.classifier.actions(call.call, call.key)
        self.num_calls += 1
        self.num_repeated += call.key in self.since_edit
        self.since_edit.add(call.key)
        self.actions += actions
        for action in actions:
            if action.kind == "search":
                self.has_searched = True
            elif action.kind == "test":
                self.is_tested = True
            elif action.kind == "edit":
                self._add_edit(turn, action, call)
        if any(action.kind == "edit" or (action.kind == "other" and not action.is_git) for action in actions):
            self.num_idle_reads = 0
        elif any(action.history == "read" for action in actions):
            self.num_idle_reads += 1
        histories = {action.history for action in actions}
        self.num_git += any(action.is_git for action in actions)
        self.num_reads += "read" in histories
        self.num_restores += "restore" in histories
        return actions

    def _add_edit(self, turn: int, action: Action, call: Call) -> None:
        if call.answer is not None and call.answer.ok is False:
            self.num_failed_edits += 1
            return
        paths = action.files
        self.since_edit = {call.key}
        if action.removes and paths and self.files.issuperset(paths):
            self.files.difference_update(paths)  # cleaning up what it wrote itself
            return
        if self.first_edit_turn is None:
            self.first_edit_turn, self.is_searched_first = turn, self.has_searched
        self.files.update(paths)
        self.num_test_file_writes += action.writes_tests
        self.is_tested = False


def _entropy(counts: Counter[str]) -> float | None:
    """Return the entropy, in bits, of which tool an action uses; None without any."""
    total = sum(counts.values())
    return -sum(count / total * math.log2(count / total) for count in counts.values()) if total else None
