"""Which kind of action a tool call is, read from a table that a person can extend: turn_kinds.yaml.

The table knows the tools of our environments and those of common scaffolds, so that foreign trajectories are read like
ours. Lines of shell are parsed by shell.py. A tool that the table does not name is of kind other: nothing is guessed
from a name. Own tools come from `harness.turn_kinds` and take precedence.
"""

import fnmatch
import posixpath
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import Any, Literal, get_args

import yaml
from pydantic import ConfigDict, ValidationError

from evotrainer.actions import Action, Kind, in_git_directory
from evotrainer.errors import ConfigError
from evotrainer.records import Record, ToolCall

_TABLE = Path(__file__).with_suffix(".yaml")
RuleKind = Literal[Kind, "shell", "ipython", "patch"]


class ToolRule(Record):
    """One row of the table."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    kind: RuleKind = "other"
    argument: str = ""
    kinds: dict[str, Kind] = {}
    files: str = ""


class TurnKinds:
    """The table, with a person's own tools in front.

    Raises:
        ConfigError: a rule of `own` is not of the form that turn_kinds.yaml describes.

    """

    def __init__(self, own: Mapping[str, Any] | None = None) -> None:
        table = yaml.safe_load(_TABLE.read_text(encoding="utf-8"))
        self._rules = {name: _rule(name, value) for name, value in {**table["tools"], **(own or {})}.items()}
        self._paths: tuple[str, ...] = tuple(table["paths"])
        self._roots = [root.strip("/").split("/") for root in table["roots"]]
        self._test_files: list[str] = table["test_files"]
        self._test_settings: list[str] = table["test_settings"]

    def actions(self, call: ToolCall) -> list[Action]:
        """Return what a call does, in order; at least one action."""
        rule = self._rules.get(call.name) or self._rules.get(_bare(call.name)) or _UNKNOWN
        if rule.kinds:
            choice = str(call.arguments.get(rule.argument, ""))
            return [self._plain(call, rule.kinds.get(choice, "other"), rule, f"{call.name} {choice}".rstrip())]
        return [self._plain(call, rule.kind if rule.kind in LISTED else "other", rule, call.name)]

    def repository_path(self, path: str) -> str:
        """Return a path as the repository knows it: normal form, without the place of the checkout."""
        normal = posixpath.normpath(path)
        parts = normal.split("/")
        if parts[0] == "":
            for root in self._roots:
                if len(parts) > len(root) + 1 and all(map(fnmatch.fnmatchcase, parts[1:], root)):
                    return "/".join(parts[len(root) + 1 :])
        return normal

    def decides_tests(self, path: str, *, speaks_of_tests: bool = False) -> bool:
        """Tell whether a file's contents decide what a test run says."""
        patterns = self._test_files + (self._test_settings if speaks_of_tests else [])
        return any(_matches(path, pattern) for pattern in patterns)

    def _plain(self, call: ToolCall, kind: Kind, rule: ToolRule, tool: str) -> Action:
        names = (rule.files,) if rule.files else self._paths
        paths = tuple(_texts(call.arguments, names))
        reads_git = any(map(in_git_directory, paths))
        return Action(
            kind=kind,
            tool=tool,
            files=paths if kind == "edit" else (),
            is_git=reads_git or kind == "git",
            history="read" if reads_git and kind != "edit" else "",
            steers_tests=kind == "edit" and "test" in str(call.arguments),
        )


LISTED: tuple[Kind, ...] = get_args(Kind)
_UNKNOWN = ToolRule()


@cache
def standard_kinds() -> TurnKinds:
    """Return the table without own tools, read once."""
    return TurnKinds()


def _rule(name: str, value: Any) -> ToolRule:
    try:
        return ToolRule(**value) if isinstance(value, Mapping) else ToolRule(kind=value)
    except (ValidationError, TypeError):
        choices = ", ".join(get_args(RuleKind))
        raise ConfigError(
            f"harness.turn_kinds: '{name}' is {value!r}: write one of {choices}, or a rule as turn_kinds.yaml has them"
        ) from None


def _bare(name: str) -> str:
    """Return a name without the prefix of its server or name space."""
    return name.rsplit("__", 1)[-1].rsplit(".", 1)[-1].rsplit("/", 1)[-1]


def _texts(arguments: Mapping[str, Any], names: tuple[str, ...]) -> Iterator[str]:
    """Yield the texts under these names, those of listed objects too."""
    for name, value in arguments.items():
        if isinstance(value, str) and name in names:
            yield value
        elif isinstance(value, list):
            for item in value:
                if isinstance(item, str) and name in names:
                    yield item
                elif isinstance(item, Mapping):
                    yield from _texts(item, names)


def _matches(path: str, pattern: str) -> bool:
    if pattern.endswith("/"):
        return f"/{pattern}" in f"/{posixpath.dirname(path)}/"
    return fnmatch.fnmatchcase(posixpath.basename(path), pattern)
