"""Classifies a tool call by the table: the actions that it is."""

import shlex
from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any

from evotrainer.actions.files import RepositoryFiles, patched_files
from evotrainer.actions.programs import Programs
from evotrainer.actions.table import Action, Kind, ToolRule, full_table, in_git_directory
from evotrainer.records import ToolCall

_UNKNOWN = ToolRule()
_MAX_REMEMBERED = 8192
_MAX_KEY_CHARS = 500


class ActionClassifier:
    """Classifies tool calls by the table, with a person's own rows in front.

    Raises:
        ConfigError: `own` is not of the form that table.yaml describes.

    """

    def __init__(self, own: Mapping[str, Any] | None = None) -> None:
        table = full_table(own or {})
        self.files = RepositoryFiles(table)
        self._rules = table.rules()
        self._paths = frozenset(table.paths)
        self._programs = Programs(table, self.files)
        self._remembered: dict[str, tuple[Action, ...]] = {}

    def actions(self, call: ToolCall, key: str = "") -> tuple[Action, ...]:
        """Return what a call does, in order; at least one action. Equal keys, where given, are equal calls."""
        found = self._remembered.get(key)
        if found is None:
            found = tuple(map(self._finished, self._raw(call)))
            if 0 < len(key) <= _MAX_KEY_CHARS:
                if len(self._remembered) >= _MAX_REMEMBERED:
                    self._remembered.clear()
                self._remembered[key] = found
        return found

    def _raw(self, call: ToolCall) -> list[Action]:
        rule = self._rules.get(call.name) or self._rules.get(_bare(call.name)) or _UNKNOWN
        if rule.kinds:
            choice = str(call.arguments.get(rule.argument, ""))
            return [self._plain(call, rule.kinds.get(choice, "other"), rule, f"{call.name} {choice}".rstrip())]
        if rule.kind in ("shell", "patch") or (rule.kind == "git" and rule.argument):
            return self._parsed(rule, _command_text(call.arguments, rule.argument), call.name)
        return [self._plain(call, rule.kind, rule, call.name)]

    def _parsed(self, rule: ToolRule, text: str, tool: str) -> list[Action]:
        if rule.kind == "shell":
            return self._programs.shell_actions(text, tool)
        if rule.kind == "git":
            return self._programs.git_actions(text, tool)
        return [Action("edit", tool, tuple(patched_files(text)))]

    def _plain(self, call: ToolCall, kind: Kind, rule: ToolRule, tool: str) -> Action:
        paths = tuple(_texts(call.arguments, self._paths))
        if kind == "edit":
            return Action(kind, tool, paths, removes=rule.removes)
        reads_git = any(".git" in path and in_git_directory(path) for path in paths)
        return Action(kind, tool, is_git=reads_git or kind == "git", history="read" if reads_git else "")

    def _finished(self, action: Action) -> Action:
        """Return the action with its paths as the repository knows them."""
        if not action.files:
            return action
        files = tuple(self.files.path(path) for path in action.files)
        return replace(action, files=files, writes_tests=any(map(self.files.decides_tests, files)))


def _bare(name: str) -> str:
    """Return a name without the prefix of its server or name space."""
    return name.rsplit("__", 1)[-1].rsplit(".", 1)[-1].rsplit("/", 1)[-1]


def _command_text(arguments: Mapping[str, Any], name: str) -> str:
    """Return the text under `name`, or else the first text; a list of words is joined, `bash -lc TEXT` is its text."""
    value = arguments.get(name) if name else None
    if value is None:
        value = next((value for value in arguments.values() if isinstance(value, str | list)), "")
    if isinstance(value, list):
        words = [str(word) for word in value]
        return words[2] if len(words) == 3 and words[1] in ("-c", "-lc") else shlex.join(words)
    return str(value)


def _texts(arguments: Mapping[str, Any], names: frozenset[str]) -> Iterator[str]:
    """Yield the texts under these names, those of listed objects too."""
    for name, value in arguments.items():
        if isinstance(value, str):
            if name in names:
                yield value
        elif isinstance(value, list):
            for item in value:
                if isinstance(item, str) and name in names:
                    yield item
                elif isinstance(item, Mapping):
                    yield from _texts(item, names)
