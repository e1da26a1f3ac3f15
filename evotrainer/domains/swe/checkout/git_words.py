"""The command lines of git that a policy may give: sub-commands and options by name, everything else refused.

A refusal is one line that says what is taken. What passes is rebuilt, so that git reads each word as it was read here:
a long option and its value are one word, and no word that follows an option can be taken for another option.
"""

import re
import shlex
from collections.abc import Iterator, Sequence

from evotrainer.domains.swe.checkout.files import inside, is_text

MAX_COMMAND_CHARACTERS = 20_000
_NUMBER = re.compile(r"-[0-9]+")
_SHELL = ("|", "||", "&&", ";", ">", ">>", "<", "&")
_SHOWN = (
    "--oneline -p -u --patch --stat --name-only --name-status --no-patch -s --no-color --abbrev-commit --no-decorate"
)

COMMANDS: dict[str, tuple[str, str]] = {
    "status": ("-s --short --porcelain -b --branch -sb", ""),
    "diff": ("--cached --staged --stat --name-only --name-status --no-color -p -u --patch", ""),
    "log": (
        f"{_SHOWN} --all --reverse --no-merges --branches --remotes --follow",
        "-n --max-count --grep -S --author --format --pretty --skip",
    ),
    "show": (_SHOWN, "--format --pretty"),
    "add": ("-A --all -u --update -f --force", ""),
    "commit": ("-a --all -q --quiet --no-verify", "-m --message -am"),
    "checkout": ("-q --quiet -f --force --detach", "-b"),
    "switch": ("--detach -d -f --force -q --quiet", "-c --create"),
    "restore": ("-S --staged -W --worktree -q --quiet -SW", "-s --source"),
    "reset": ("--hard --soft --mixed -q --quiet", ""),
    "stash": ("-q --quiet -p -u --patch --stat --name-only --name-status", "-m --message"),
    "branch": ("-a --all -r --remotes -l --list -v --show-current -D -d --delete", ""),
    "tag": ("-l --list", ""),
    "merge": ("--ff-only --ff -q --quiet", ""),
    "cherry-pick": ("-x -n --no-commit", ""),
    "reflog": ("--all --oneline", "-n"),
    "rev-list": ("--all --reverse --no-merges --branches --remotes --count", "-n --max-count"),
    "rev-parse": ("--short --abbrev-ref --verify --is-inside-work-tree -q", ""),
    "blame": ("-s", "-L"),
    "grep": ("-n --line-number -i --ignore-case -l --name-only -F -E -w", "-e"),
    "cat-file": ("-p -t -s -e", ""),
    "ls-files": ("-c --cached", ""),
    "ls-tree": ("-r --name-only --name-status", ""),
    "fsck": ("--lost-found --unreachable --full --no-reflogs --dangling", ""),
}
"""Sub-command -> options without a value, options with one."""
WRITING = frozenset(
    {"add", "commit", "checkout", "switch", "restore", "reset", "stash", "branch", "merge", "cherry-pick"}
)
"""Sub-commands that may change files, index or refs; what another one leaves in .git is not kept."""
_STASH = ("push", "list", "show", "apply", "pop", "drop", "clear")
_REFLOG_CHANGES = ("expire", "delete", "drop", "exists", "list", "write")


class RefusedError(ValueError):
    """A command line that is not taken; the message is what the policy reads, one line."""


def checked_words(arguments: str) -> tuple[str, ...]:
    """Return the words to give to git, sub-command first; raises RefusedError or OutsideError."""
    words = _split(arguments)
    if not words or words[0] not in COMMANDS:
        raise RefusedError(f"git: '{words[0] if words else ''}' is not there: use {', '.join(COMMANDS)}")
    name, *rest = words
    flags, valued = (known.split() for known in COMMANDS[name])
    given, named, paths = _parse(name, rest, flags, valued)
    _check_action(name, given, named)
    is_pattern = name == "grep" and "-e" not in given
    for word in (*named[is_pattern:], *(paths or ())):
        inside(word, is_folder=True)
    return (name, *given, *(("--", *paths) if paths is not None else ()))


def _split(arguments: str) -> list[str]:
    """Return the words of a command line, a leading `git` left out."""
    if len(arguments) > MAX_COMMAND_CHARACTERS or "\0" in arguments or not is_text(arguments):
        raise RefusedError(f"error: a command is at most {MAX_COMMAND_CHARACTERS} characters of UTF-8")
    try:
        words = shlex.split(arguments)
    except ValueError:
        raise RefusedError("error: quotes do not match") from None
    if any(word in _SHELL or word.endswith(";") for word in words):
        raise RefusedError("error: one git command, without pipes and redirections")
    words = words[1:] if words[:1] == ["git"] else words
    while words and words[0] in ("--no-pager", "-P"):
        words = words[1:]
    return words


def _parse(
    command: str, words: Sequence[str], flags: Sequence[str], valued: Sequence[str]
) -> tuple[list[str], list[str], list[str] | None]:
    """Return the words as git shall read them, those that are no options, and what follows `--`, or None."""
    given: list[str] = []
    named: list[str] = []
    pending = iter(words)
    for word in pending:
        option, mark, _ = word.partition("=")
        if word == "--":
            return given, named, list(pending)
        if word in flags or (_NUMBER.fullmatch(word) and "-n" in valued):
            given.append(word)
        elif word in valued:
            given += _with_value(word, pending)
        elif mark and option.startswith("--") and option in valued:
            given.append(word)
        elif word[:2] in valued and not word.startswith("--"):
            given += [word[:2], word[2:]]
        elif word.startswith("-") and word != "-":
            raise RefusedError(f"error: git {command} has no option {word} here")
        else:
            given.append(word)
            named.append(word)
    return given, named, None


def _with_value(option: str, pending: Iterator[str]) -> list[str]:
    value = next(pending, None)
    if value is None:
        raise RefusedError(f"error: {option} needs a value")
    return [f"{option}={value}"] if option.startswith("--") else [option, value]


def _check_action(name: str, given: Sequence[str], named: Sequence[str]) -> None:
    """Refuse what a first word makes of a sub-command beyond the options."""
    if name == "tag" and named and not {"-l", "--list"} & {*given}:
        raise RefusedError("error: tags can only be listed here")
    if name == "reflog" and named and named[0] in _REFLOG_CHANGES:
        raise RefusedError("error: the reflog can only be shown here")
    if name == "stash" and named and named[0] not in _STASH:
        raise RefusedError(f"error: git stash {named[0]} is not there: use {', '.join(_STASH)}")
    if name == "stash" and named[:1] != ["show"] and {"-p", "-u", "--patch"} & {*given}:
        raise RefusedError("error: git stash show alone takes -p, -u and --patch here")
