"""What tools do that the table of actions does not name, inferred from their arguments and answers.

A tool is a shell where one of its texts runs known programs, a patch where one holds a diff, an edit where a
path stands beside a text that its short answer does not search for, a search where a path or pattern is answered at
length, and hands in where it ends nearly every attempt that calls it. What stays unclear stays `other`, and diagnostics
of edits then say nothing (`tool_use_metrics.is_meant`).
"""

import re
from collections import defaultdict
from collections.abc import Sequence
from statistics import median
from typing import Any

from evotrainer.actions import ActionClassifier
from evotrainer.records import ToolCall, Trajectory

_MAX_CALLS = 300
_MIN_CALLS = 3
_MOST = 0.6
_PATH = re.compile(r"^[\w@.~/\\-]*[\w-]+\.\w{1,8}$|^[\w@.~-]*(?:/[\w@.+-]+)+/?$")
_DIFF = re.compile(r"^(?:\*\*\* Begin Patch|--- \S|diff --git |@@ )", re.MULTILINE)
_REMOVED = re.compile(r"\b(?:delet|remov|unlink)\w*", re.I)
_LONG_ANSWER = 400

Calls = list[tuple[dict[str, Any], str, bool]]
"""Arguments, answer, and whether the call stands in the attempt's last turn with calls."""


class UnknownTools:
    """Calls of tools that a table of actions does not name, of rows that come in parts."""

    def __init__(self, classifier: ActionClassifier) -> None:
        """Begin without calls."""
        self._classifier = classifier
        self._calls: dict[str, Calls] = defaultdict(list)

    def add(self, rows: Sequence[Trajectory]) -> None:
        """Take in the calls of rows."""
        for row in rows:
            turns = [place for place, message in enumerate(row.messages) if message.tool_calls]
            for place in turns:
                for number, call in enumerate(row.messages[place].tool_calls, start=1):
                    if not self._classifier.knows_tool(call.name) and len(self._calls[call.name]) < _MAX_CALLS:
                        self._calls[call.name].append(
                            (call.arguments, _answer(row, place + number), place == turns[-1])
                        )

    def rules(self) -> dict[str, Any]:
        """Return rows of the table of actions, {name: rule}, for the tools whose work is clear."""
        found = {}
        for name, calls in sorted(self._calls.items()):
            rule = _rule(calls, self._classifier) if len(calls) >= _MIN_CALLS else None
            if rule is not None:
                found[name] = rule
        return found


def _answer(row: Trajectory, place: int) -> str:
    is_answer = place < len(row.messages) and row.messages[place].role != "assistant"
    return row.messages[place].content if is_answer else ""


def _rule(calls: Calls, classifier: ActionClassifier) -> dict[str, Any] | None:
    texts = _texts_by_argument(calls)
    for name, values in texts.items():
        if (
            _share(values, lambda value: " " in value.strip()) > 0.3
            and _share(values, lambda value: _is_shell(value, classifier)) >= _MOST
        ):
            return {"kind": "shell", "argument": name}
    for name, values in texts.items():
        if _share(values, lambda value: _DIFF.search(value) is not None) >= _MOST:
            return {"kind": "patch", "argument": name}
    paths = [name for name, values in texts.items() if _share(values, lambda value: bool(_PATH.match(value))) >= _MOST]
    if paths and (rule := _edit(calls, texts, paths[0])) is not None:
        return rule
    if sum(is_last for _, _, is_last in calls) >= 0.9 * len(calls):
        return {"kind": "submit"}
    return {"kind": "search"} if paths and any(answer for _, answer, _ in calls) else None


def _edit(calls: Calls, texts: dict[str, list[str]], path: str) -> dict[str, Any] | None:
    """Return the rule of an edit: a text beside a path, and an answer that shows little of the file."""
    answers = [answer for _, answer, _ in calls]
    if set(texts) == {path} and _share(answers, lambda text: bool(_REMOVED.search(text))) >= _MOST:
        return {"kind": "edit", "files": path, "removes": True}
    for name, values in texts.items():
        is_content = name != path and median(map(len, values)) >= 8 and len(values) >= _MOST * len(calls)
        if is_content and not _is_sought(calls, name) and median(map(len, answers)) < _LONG_ANSWER:
            return {"kind": "edit", "files": path}
    return None


def _is_sought(calls: Calls, name: str) -> bool:
    """Tell whether answers repeat a text, as a search's do: an edit tool answers that it is done."""
    pairs = [(str(arguments[name]).strip(), answer) for arguments, answer, _ in calls if name in arguments]
    return sum(bool(text) and text in answer for text, answer in pairs) > 0.3 * len(pairs)


def _texts_by_argument(calls: Calls) -> dict[str, list[str]]:
    texts: dict[str, list[str]] = defaultdict(list)
    for arguments, _, _ in calls:
        for name, value in arguments.items():
            if isinstance(value, str):
                texts[name].append(value)
    return texts


def _is_shell(text: str, classifier: ActionClassifier) -> bool:
    """Tell whether a text runs a program that the table knows the work of."""
    actions = classifier.actions(ToolCall(name="bash", arguments={"command": text}))
    return any(action.kind != "other" for action in actions)


def _share(values: list[str], holds: Any) -> float:
    return sum(map(holds, values)) / len(values) if values else 0.0
