"""What a git command does: reads history, restores it, or handles the attempt's own work.

Reading means commits other than the work in progress: `git diff` and `git diff HEAD` show own changes, `git diff
HEAD~1` does not. Restoring brings content of a chosen commit, or of another repository's branch, into the working tree:
`git checkout <commit> -- file`, while `git checkout -- file` undoes an own edit. A branch that is only switched to is
taken for the attempt's own, and so is a stash.
"""

import re
from collections.abc import Container, Sequence

from evotrainer.actions.table import Action

_GLOBAL_VALUES = frozenset({"-C", "-c", "--git-dir", "--work-tree", "--namespace", "--exec-path"})
_RESTORERS = frozenset({"cherry-pick", "revert", "read-tree", "checkout-index", "pull"})
_UNDONE = frozenset({"--abort", "--quit", "--skip"})
_REVISION = re.compile(
    r"(?i:.*(?:\.\.|~\d*$|\^|@\{).*|(?:refs|origin|upstream|remotes)/.*|[0-9a-f]{7,40}|v?\d+\.\d+(?:\.\d+)*"
    r"|ORIG_HEAD|FETCH_HEAD|MERGE_HEAD|main|master|develop|trunk)"
)


def git_action(arguments: Sequence[str], tool: str, readers: Container[str], writes: Sequence[str] = ()) -> Action:
    """Return what `git ARGUMENTS > WRITES` does, under the name `tool`; `readers`: commands that read history."""
    command, *rest = _after_global_options(arguments) or [""]
    name = f"{tool} {command}".rstrip()
    if command in ("checkout", "switch", "restore", "reset"):
        return _brings_back(command, rest, name)
    if command in _RESTORERS or command in ("merge", "rebase"):
        restores = command in _RESTORERS or any(map(is_revision, rest))
        return Action("edit", name, is_git=True, history="restore" if restores and not _UNDONE & {*rest} else "")
    if command in ("apply", "am"):
        return Action("edit", name, is_git=True)
    if command in ("rm", "mv", "clean"):
        return Action("edit", name, tuple(_plain(rest)), is_git=True)
    if command == "show" and writes:
        return Action("edit", name, tuple(writes), is_git=True, history="restore")
    if command == "stash" and not {"list", "show", "drop", "clear"} & {*rest}:
        return Action("edit", name, is_git=True)
    reads = "read" if _reads(command, rest, readers) else ""
    return Action("search" if command == "grep" else "git", name, is_git=True, history=reads)


def is_revision(word: str) -> bool:
    """Tell whether a word names a commit other than HEAD rather than a path."""
    return _REVISION.fullmatch(word) is not None


def _reads(command: str, rest: Sequence[str], readers: Container[str]) -> bool:
    """Tell whether a command that changes nothing shows history."""
    plain = _plain(rest)
    if command == "grep":
        return any(map(is_revision, plain[1:]))
    if command == "diff":
        return any(map(is_revision, _plain(_before_dashes(rest))))
    if command == "stash":
        return not {"drop", "clear"} & {*rest}
    if command in ("branch", "tag"):
        return not plain and (command == "tag" or any(word in ("-a", "-r", "--all") for word in rest))
    return command in readers


def _brings_back(command: str, rest: Sequence[str], name: str) -> Action:
    """Return the action of checkout, switch, restore or reset, which take a commit, paths, or both."""
    before = _before_dashes(rest)
    if command == "restore":  # the source stands in an option
        before = [word.removeprefix("--source=").removeprefix("-s=") for word in before]
    source = next((word for word in before if is_revision(word)), "")
    named = rest[rest.index("--") + 1 :] if "--" in rest else [word for word in _plain(before) if word != "HEAD"]
    is_new = any(word in ("-b", "-B", "-c", "--orphan") for word in rest)
    if is_new or (command == "reset" and "--hard" not in rest):
        return Action("git", name, is_git=True, history="restore" if source and is_new else "")
    paths = tuple(word for word in named if "--" in rest or not is_revision(word))
    is_own = command in ("checkout", "switch") and not paths and source.isalpha()
    return Action("edit", name, paths, is_git=True, history="restore" if source and not is_own else "")


def _after_global_options(words: Sequence[str]) -> list[str]:
    place = 0
    while place < len(words) and words[place].startswith("-"):
        place += 2 if words[place] in _GLOBAL_VALUES else 1
    return list(words[place:])


def _before_dashes(words: Sequence[str]) -> Sequence[str]:
    return words[: words.index("--")] if "--" in words else words


def _plain(words: Sequence[str]) -> list[str]:
    return [word for word in words if not word.startswith("-")]
