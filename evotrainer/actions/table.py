"""Actions, and the table that says which call is which: table.yaml with a person's own rows in front.

A call is one action, or several where it is a line of shell. classifier.py and shell.py read calls;
evidence/tool_features.py reads the order of actions.
"""

import posixpath
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any, Literal, get_args

import yaml
from pydantic import ValidationError

from evotrainer.errors import ConfigError
from evotrainer.records import Record

Kind = Literal["search", "edit", "test", "git", "submit", "other"]

LETTERS: dict[Kind, str] = {"search": "S", "edit": "E", "test": "T", "git": "G", "submit": "X", "other": "O"}
"""One letter a kind: a trajectory's action sequence is a text of these."""


@dataclass(frozen=True, slots=True)
class Action:
    """One thing that a call does."""

    kind: Kind
    tool: str
    """Tool, with its command or program where it has several: `edit`, `str_replace_editor view`, `bash pytest`."""
    files: tuple[str, ...] = ()
    """Paths written, for an edit; paths that are only read are not kept."""
    removes: bool = False
    """Whether it removes files."""
    is_git: bool = False
    history: Literal["", "read", "restore"] = ""
    """Whether it reads git history, or restores part of it into the working tree."""
    writes_tests: bool = False
    """Whether a file that it writes decides the result of a test run."""


def in_git_directory(path: str) -> bool:
    """Tell whether a path lies in a .git directory."""
    return ".git" in posixpath.normpath(path).split("/")


TABLE = Path(__file__).with_name("table.yaml")
RuleKind = Literal[Kind, "shell", "patch"]
ProgramKind = Literal[Kind, "none"]


class ToolRule(Record):
    """One row of `tools`."""

    kind: RuleKind = "other"
    argument: str = ""
    kinds: dict[str, Kind] = {}
    removes: bool = False


class Table(Record):
    """The sections of table.yaml, where they are explained."""

    tools: dict[str, RuleKind | ToolRule] = {}
    programs: dict[str, ProgramKind] = {}
    wrappers: list[str] = []
    writers: list[str] = []
    git_readers: list[str] = []
    paths: list[str] = []
    roots: list[str] = []
    test_files: list[str] = []
    test_words: list[str] = []
    code_suffixes: list[str] = []
    test_steering: list[str] = []
    test_leftovers: list[str] = []

    def rules(self) -> dict[str, ToolRule]:
        """Return the rules of all tools."""
        return {name: row if isinstance(row, ToolRule) else ToolRule(kind=row) for name, row in self.tools.items()}


def full_table(own: Mapping[str, Any]) -> Table:
    """Return the standard table with own rows in front; raises ConfigError where `own` has not the table's form."""
    added, standard = _own_table(own), _standard_table()
    values = {}
    for name in Table.model_fields:
        mine, theirs = getattr(added, name), getattr(standard, name)
        values[name] = {**theirs, **mine} if isinstance(mine, dict) else [*mine, *theirs]
    return standard.model_copy(update=values)


@cache
def _standard_table() -> Table:
    loader = getattr(yaml, "CSafeLoader", yaml.SafeLoader)  # a tenth of the time
    return Table(**yaml.load(TABLE.read_text(encoding="utf-8"), loader))


def _own_table(own: Mapping[str, Any]) -> Table:
    try:
        return Table.model_validate(dict(own))
    except ValidationError as error:
        first = error.errors()[0]
        place = ".".join(str(part) for part in first["loc"][:2])
        raise ConfigError(
            f"harness.actions.{place}: {first['msg']} (got {str(first['input'])[:60]!r}); its sections are "
            f"{', '.join(Table.model_fields)}, a tool is {', '.join(get_args(RuleKind))}, or a rule"
        ) from None
