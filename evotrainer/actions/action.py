"""What a tool call does to a repository, in terms that all scaffolds share.

A call is one action, or several where it is a line of shell. classifier.py and shell.py decide which call is which
action; evidence/features/tools.py reads their order.
"""

import posixpath
from dataclasses import dataclass
from typing import Literal

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
    opens: str = ""
    """The file that becomes the one that edits without a path write to."""
    removes: bool = False
    """Whether it removes files."""
    is_git: bool = False
    history: Literal["", "read", "restore", "join", "stash", "unstash"] = ""
    """Whether it reads git history, or restores part of it into the working tree."""
    speaks_of_tests: bool = False
    """Whether its text names tests: some files decide a test run only then."""
    writes_tests: bool = False
    """Whether a file that it writes decides the result of a test run."""


def in_git_directory(path: str) -> bool:
    """Tell whether a path lies in a .git directory."""
    return ".git" in posixpath.normpath(path).split("/")
