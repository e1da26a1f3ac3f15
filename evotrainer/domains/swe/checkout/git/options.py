"""Command lines of git: which options a command takes, and where revisions end and paths begin."""

import re
import shlex
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

_NUMBER = re.compile(r"-[0-9]+")
_MAX_DIGITS = 9
_SHELL = ("|", "||", "&&", ";", ">", ">>", "<", "&")


class GitError(Exception):
    """What git would print before it fails, or that a command or option is not there; one line."""


@dataclass(frozen=True)
class Options:
    """A command line, taken apart. `paths` is None where no `--` separates them from the other words."""

    flags: frozenset[str]
    values: Mapping[str, str]
    words: tuple[str, ...]
    paths: tuple[str, ...] | None

    def has(self, *names: str) -> bool:
        """Return whether one of these flags was given."""
        return not self.flags.isdisjoint(names)

    def value(self, *names: str) -> str | None:
        """Return the value of the first of these options that was given."""
        return next((self.values[name] for name in names if name in self.values), None)


def whole_number(text: str) -> int | None:
    """Return the number that digits spell, or None: what does not fit into git's integers is none to git either."""
    return int(text) if text.isdecimal() and len(text) <= _MAX_DIGITS else None


def split(arguments: str) -> list[str]:
    """Return the words of a command line, a leading `git` left out; raises GitError for what needs a shell."""
    try:
        words = shlex.split(arguments)
    except ValueError:
        raise GitError("error: quotes do not match") from None
    if any(word in _SHELL or word.endswith(";") for word in words):
        raise GitError("error: one git command, without pipes and redirections")
    words = words[1:] if words[:1] == ["git"] else words
    while words and words[0] in ("--no-pager", "-P"):
        words = words[1:]
    return words


def parse(command: str, arguments: Sequence[str], flags: str = "", values: str = "") -> Options:
    """Take the arguments of a command apart; raises GitError for an option that is not named.

    `flags` and `values` are words: options without and with a value (`-n 3`, `-n3`, `--max-count=3`).
    """
    known, valued = flags.split(), values.split()
    found: set[str] = set()
    given: dict[str, str] = {}
    words: list[str] = []
    pending = list(arguments)
    while pending:
        word = pending.pop(0)
        if word == "--":
            return Options(frozenset(found), given, tuple(words), tuple(pending))
        name, mark, value = word.partition("=")
        if word in known:
            found.add(word)
        elif mark and name in valued and name.startswith("--"):
            given[name] = value
        elif word in valued:
            if not pending:
                raise GitError(f"error: {word} needs a value")
            given[word] = pending.pop(0)
        elif word[:2] in valued and not word.startswith("--"):
            given[word[:2]] = word[2:]
        elif _NUMBER.fullmatch(word) and "-n" in valued:
            given["-n"] = word[1:]
        elif word.startswith("-") and word != "-":
            raise GitError(f"error: git {command} has no option {word} here")
        else:
            words.append(word)
    return Options(frozenset(found), given, tuple(words), None)
