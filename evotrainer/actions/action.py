"""What a tool call does to a repository, in the words that all scaffolds share.

A call is one action, or several where it is a line of shell. Which call is which action is the business of
classifier.py and shell.py; what follows from their order is that of evidence/features/tools.py.
"""

import posixpath
from dataclasses import dataclass
from typing import Literal

Kind = Literal["search", "edit", "test", "git", "submit", "other"]

LETTERS: dict[Kind, str] = {"search": "S", "edit": "E", "test": "T", "git": "G", "submit": "X", "other": "O"}
"""One letter a kind: the text that stands for a trajectory's actions."""


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
    """Whether it takes files away."""
    is_git: bool = False
    history: Literal["", "read", "restore", "join", "stash", "unstash"] = ""
    """Whether it reads what git remembers, or brings some of it back into the working tree."""
    speaks_of_tests: bool = False
    """Whether what it writes names tests: that tells, of some files, whether they decide a test run."""
    writes_tests: bool = False
    """Whether a file that it writes decides what a test run says."""


def in_git_directory(path: str) -> bool:
    """Tell whether a path lies in a .git directory."""
    return ".git" in posixpath.normpath(path).split("/")
