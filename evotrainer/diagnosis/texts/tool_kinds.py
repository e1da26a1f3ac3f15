"""What tools do that the table of actions does not name, inferred from their arguments and answers.

| kind | evidence |
|---|---|
| shell | one of its texts runs known programs |
| patch | one of its texts holds a diff |
| edit | a path stands beside a text that is code, or that answers only acknowledge |
| search | a path, or a pattern beside it, is answered |
| submit | the policy does nothing after it, calls it once, and is told nothing by it |

A tool whose argument names what it does (`op="put"`) is read value by value. What stays unclear stays `other`, and
diagnostics of edits then say nothing (`tool_use_metrics.is_meant`). Names of tools and arguments are never read.
"""

import re
import shlex
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from statistics import median
from typing import Any

from evotrainer.actions import ActionClassifier
from evotrainer.records import ToolCall, Trajectory

_MAX_CALLS = 300
_MIN_CALLS = 3
_MOST = 0.6
_MAX_CHOICES = 8
_PATH = re.compile(r"^[\w@.~/\\-]*[\w-]+\.\w{1,8}$|^[\w@.~-]*(?:/[\w@.+-]+)+/?$")
_DIFF = re.compile(r"^(?:\*\*\* Begin Patch|--- \S|diff --git |@@ )", re.MULTILINE)
_REMOVED = re.compile(r"\b(?:delet|remov|unlink)\w*", re.I)
_CODE = re.compile(r"\n|[=;{}<>\[\]]|\w\(|^\s*(?:#|//|--|- )")
_WORD = re.compile(r"[a-z]\w*", re.I)
_CHOICE = re.compile(r"^[\w-]{1,30}$")
_LONG_ANSWER = 400
_ANSWER_CHARS = 4000


@dataclass(frozen=True, slots=True)
class _Call:
    arguments: Mapping[str, Any]
    answer: str
    is_end: bool
    """Whether the policy writes and calls nothing after it."""
    is_only: bool
    """Whether the attempt calls the tool once."""
    is_after_others: bool
    """Whether the attempt called another tool in an earlier turn."""


class UnknownTools:
    """Calls of tools that a table of actions does not name, of rows that come in parts."""

    def __init__(self, classifier: ActionClassifier) -> None:
        """Begin without calls."""
        self._classifier = classifier
        self._calls: dict[str, list[_Call]] = defaultdict(list)
        self._num_ended: Counter[str] = Counter()
        self._num_rows = 0

    def add(self, rows: Sequence[Trajectory]) -> None:
        """Take in the calls of rows."""
        for row in rows:
            called = [call.name for message in row.messages for call in message.tool_calls]
            self._num_rows += bool(called)
            if called and not all(map(self._classifier.knows_tool, called)):
                self._add(row, Counter(called))

    def _add(self, row: Trajectory, names: Counter[str]) -> None:
        last = max((place for place, message in enumerate(row.messages) if message.role == "assistant"), default=-1)
        met: set[str] = set()
        for place, message in enumerate(row.messages):
            for number, call in enumerate(message.tool_calls, start=1):
                name, is_end = call.name, place == last
                if self._classifier.knows_tool(name):
                    continue
                self._num_ended[name] += is_end
                if len(self._calls[name]) < _MAX_CALLS:
                    answer = _answer(row, place + number)
                    self._calls[name].append(
                        _Call(call.arguments, answer, is_end, names[name] == 1, bool(met - {name}))
                    )
            met |= {call.name for call in message.tool_calls}

    def rules(self) -> dict[str, Any]:
        """Return rows of the table of actions, {name: rule}, for the tools whose work is clear."""
        found = {}
        for name, calls in sorted(self._calls.items()):
            rule = self._rule(name, calls) if len(calls) >= _MIN_CALLS else None
            if rule is not None:
                found[name] = rule
        return found

    def _rule(self, name: str, calls: Sequence[_Call]) -> dict[str, Any] | None:
        if (rule := _by_text(calls, self._classifier)) is not None:
            return rule
        if _hands_in(calls, self._num_ended[name] / max(1, self._num_rows)):
            return {"kind": "submit"}
        return _by_choice(calls) or _by_path(calls)


def _answer(row: Trajectory, place: int) -> str:
    is_answer = place < len(row.messages) and row.messages[place].role != "assistant"
    return row.messages[place].content[:_ANSWER_CHARS] if is_answer else ""


def _by_text(calls: Sequence[_Call], classifier: ActionClassifier) -> dict[str, Any] | None:
    """Return the rule of a tool whose text is a language of its own: shell, or diffs."""
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
    return None


def _hands_in(calls: Sequence[_Call], share_ended: float) -> bool:
    """Tell whether a tool ends attempts: nothing follows it, and its answers, all alike, say nothing.

    A function that is called and never answered is the whole attempt in data of function calling. So an attempt that
    hands in did something before, or the tool ends most attempts.
    """
    if _share(calls, lambda call: call.is_end and call.is_only) < 0.9 or not _are_alike(calls):
        return False
    return share_ended >= 0.5 or _share(calls, lambda call: call.is_after_others) >= 0.5


def _by_choice(calls: Sequence[_Call]) -> dict[str, Any] | None:
    """Return the rule of a tool whose argument names what it does, where its values do not all do the same."""
    for name, values in _texts_by_argument(calls).items():
        parts: dict[str, list[_Call]] = defaultdict(list)
        for call in calls:
            parts[str(call.arguments.get(name, ""))].append(call)
        is_choice = len(values) == len(calls) and all(_CHOICE.match(value) for value in parts)
        if not is_choice or not 2 <= len(parts) <= _MAX_CHOICES:
            continue
        rules = {value: _by_path(part, name) for value, part in parts.items() if len(part) >= _MIN_CALLS}
        kinds = {value: rule["kind"] for value, rule in rules.items() if rule is not None}
        files = {rule["files"] for rule in rules.values() if rule is not None and "files" in rule}
        if len(set(kinds.values())) > 1 and len(files) == 1:
            return {"argument": name, "kinds": kinds, "files": files.pop()}
    return None


def _by_path(calls: Sequence[_Call], choice: str = "") -> dict[str, Any] | None:
    """Return the rule of a tool that is given a path: it edits, removes or shows; `choice` is no text of its work."""
    texts = {name: values for name, values in _texts_by_argument(calls).items() if name != choice}
    paths = [name for name, values in texts.items() if _share(values, lambda value: bool(_PATH.match(value))) >= _MOST]
    if not paths:
        return None
    path, answers = paths[0], [call.answer for call in calls]
    if set(texts) == {path} and _share(answers, lambda text: bool(_REMOVED.search(text))) >= _MOST:
        return {"kind": "edit", "files": path, "removes": True}
    written = [name for name, values in texts.items() if name != path and len(values) >= _MOST * len(calls)]
    if _is_edit(calls, {name: texts[name] for name in written}):
        return {"kind": "edit", "files": path}
    shows = median(map(len, answers)) >= _LONG_ANSWER or not written or any(_is_sought(calls, name) for name in written)
    return {"kind": "search"} if shows and any(answers) else None


def _is_edit(calls: Sequence[_Call], texts: Mapping[str, list[str]]) -> bool:
    """Tell whether one of these texts is written: it is no word, and the answer is no answer to it."""
    for name, values in texts.items():
        if median(map(len, values)) < 8 or _is_sought(calls, name):
            continue
        is_code = _share(values, lambda value: bool(_CODE.search(value))) >= 0.5
        is_said = _share(values, lambda value: " " in value.strip() and not value.rstrip().endswith("?")) >= 0.5
        is_prose = is_said and _are_alike(calls)
        echoes = _share(calls, lambda call, name=name: _lines(call, name) in call.answer) >= _MOST
        if (is_code or is_prose) and (echoes or median(len(call.answer) for call in calls) < _LONG_ANSWER):
            return True
    return False


def _lines(call: _Call, name: str) -> str:
    """Return a text of several lines that the answer may show again; a text that no answer holds where it is one."""
    text = str(call.arguments.get(name, "")).strip()
    return text if "\n" in text else "\0"


def _is_sought(calls: Sequence[_Call], name: str) -> bool:
    """Tell whether answers repeat a line, as a search's do: an edit tool shows lines, or says that it is done."""
    pairs = [(str(call.arguments[name]).strip(), call.answer) for call in calls if name in call.arguments]
    return sum(bool(text) and "\n" not in text and text in answer for text, answer in pairs) > 0.3 * len(pairs)


def _are_alike(calls: Sequence[_Call]) -> bool:
    """Tell whether most answers are one sentence, but for numbers and what the arguments name: an acknowledgement."""
    said = Counter(_sentence(call) for call in calls)
    return said.most_common(1)[0][1] >= 0.5 * len(calls)


def _sentence(call: _Call) -> tuple[str, ...]:
    given = {word for _, text in _texts(call.arguments) for word in _WORD.findall(text)}
    words = tuple(word for word in _WORD.findall(call.answer[:200]) if word not in given)
    return words or (call.answer.strip(),)


def _texts(arguments: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    """Yield the texts of arguments with their names, those of listed objects too; a list of words is one text."""
    for name, value in arguments.items():
        if isinstance(value, str):
            yield name, value
        elif isinstance(value, list) and value and all(isinstance(item, str) for item in value):
            yield name, shlex.join(value)
        elif isinstance(value, list):
            for item in value:
                if isinstance(item, Mapping):
                    yield from _texts(item)


def _texts_by_argument(calls: Sequence[_Call]) -> dict[str, list[str]]:
    texts: dict[str, list[str]] = defaultdict(list)
    for call in calls:
        for name, value in _texts(call.arguments):
            texts[name].append(value)
    return texts


def _is_shell(text: str, classifier: ActionClassifier) -> bool:
    """Tell whether a text runs a program that the table knows the work of."""
    actions = classifier.actions(ToolCall(name="bash", arguments={"command": text}))
    return any(action.kind != "other" for action in actions)


def _share(values: Sequence[Any], holds: Callable[[Any], bool]) -> float:
    return sum(map(holds, values)) / len(values) if values else 0.0
