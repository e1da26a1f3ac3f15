"""What a git command does: reads history, restores it, or handles the attempt's own work.

Reading means commits other than the work in progress: `git diff` and `git diff HEAD` show own changes, `git diff
HEAD~1` does not. Restoring means content of a chosen commit in the working tree: `git checkout <commit> -- file`,
while `git checkout -- file` undoes an own edit. Joining another branch (merge, rebase, pull, checkout of it or from
it) restores content too, unless it hands in own work.
"""

import re
from collections.abc import Container, Sequence

from evotrainer.actions.table import Action

_GLOBAL_VALUES = frozenset({"-C", "-c", "--git-dir", "--work-tree", "--namespace", "--exec-path"})
_RESTORERS = frozenset({"cherry-pick", "revert", "read-tree", "checkout-index"})
_JOINERS = frozenset({"merge", "rebase", "pull"})
_UNDONE = frozenset({"--abort", "--quit", "--skip"})
_REVISION = re.compile(
    r"(?i:.*(?:\.\.|~\d*$|\^|@\{).*|(?:refs|origin|upstream|remotes)/.*|[0-9a-f]{7,40}|v?\d+\.\d+(?:\.\d+)*"
    r"|ORIG_HEAD|FETCH_HEAD|MERGE_HEAD|main|master|develop|trunk)"
)
_STASH_READS = frozenset({"list", "show"})
_STASH_BACK = frozenset({"pop", "apply", "branch"})


def git_action(arguments: Sequence[str], tool: str, readers: Container[str], writes: Sequence[str] = ()) -> Action:
    """Return what `git ARGUMENTS > WRITES` does, under the name `tool`; `readers`: commands that read history."""
    words = _after_global_options(arguments)
    command, rest = (words[0], words[1:]) if words else ("", [])
    name = f"{tool} {command}".rstrip()
    if command in ("checkout", "switch", "restore", "reset"):
        return _brings_back(command, rest, name)
    if command == "stash":
        return _stash(rest, name)
    if command in _RESTORERS | _JOINERS:
        history = "restore" if command in _RESTORERS else "join"
        return Action("edit", name, is_git=True, history="" if _UNDONE.intersection(rest) else history)
    if command in ("apply", "am"):
        return Action("edit", name, is_git=True)
    if command in ("rm", "mv", "clean"):
        return Action("edit", name, tuple(_paths(rest)), is_git=True)
    return _look(command, rest, name, command in readers, writes)


def is_revision(word: str) -> bool:
    """Tell whether a word names a commit other than HEAD rather than a path."""
    return _REVISION.fullmatch(word) is not None


def _look(command: str, rest: Sequence[str], name: str, is_reader: bool, writes: Sequence[str]) -> Action:
    if command == "grep":
        history = "read" if any(map(is_revision, _paths(rest)[1:])) else ""
        return Action("search", name, is_git=True, history=history)
    if command == "diff":
        is_reader = any(map(is_revision, _before_dashes(rest)))
    if command in ("branch", "tag"):
        is_reader = not _paths(rest) and (command == "tag" or any(word in ("-a", "-r", "--all") for word in rest))
    if command == "show" and writes:
        return Action("edit", name, tuple(writes), is_git=True, history="restore")
    return Action("git", name, is_git=True, history="read" if is_reader else "")


def _brings_back(command: str, rest: Sequence[str], name: str) -> Action:
    """Return the action of checkout, switch, restore or reset, which take a commit, paths, or both."""
    before, paths = _before_dashes(rest), list(rest[rest.index("--") + 1 :]) if "--" in rest else []
    source = _source(command, before)
    is_new = any(word in ("-b", "-B", "-c", "--orphan") for word in rest)
    if "--" not in rest:
        paths = [word for word in _paths(before) if word not in (source, "HEAD") and not is_revision(word)]
    if is_new or (command == "reset" and "--hard" not in rest):
        from_other = any(is_revision(word) for word in before)
        return Action("git", name, is_git=True, history="join" if from_other and is_new else "")
    is_switch = command in ("checkout", "switch") and not paths
    history = "" if not source else "join" if is_switch else "restore"
    return Action("edit", name, tuple(paths), is_git=True, history=history)


def _source(command: str, before: Sequence[str]) -> str:
    """Return the commit that content comes from; empty where that is HEAD or the index."""
    if command == "restore":
        named = [word.partition("=")[2] for word in before if word.startswith(("--source=", "-s="))]
        candidates = named or [new for old, new in zip(before, before[1:], strict=False) if old in ("-s", "--source")]
        return next((word for word in candidates if word != "HEAD"), "")
    return next((word for word in before if is_revision(word)), "")


def _stash(rest: Sequence[str], name: str) -> Action:
    command = next((word for word in rest if not word.startswith("-")), "push")
    if command in _STASH_READS:
        return Action("git", name, is_git=True, history="read")
    if command in _STASH_BACK:
        return Action("edit", name, is_git=True, history="unstash")
    is_dropped = command in ("drop", "clear")
    return Action("git" if is_dropped else "edit", name, is_git=True, history="" if is_dropped else "stash")


def _after_global_options(words: Sequence[str]) -> list[str]:
    place = 0
    while place < len(words) and words[place].startswith("-"):
        place += 2 if words[place] in _GLOBAL_VALUES else 1
    return list(words[place:])


def _before_dashes(words: Sequence[str]) -> list[str]:
    known = words[: list(words).index("--")] if "--" in words else words
    return [word for word in known if not word.startswith("-") or word.startswith(("--source", "-s"))]


def _paths(words: Sequence[str]) -> list[str]:
    return [word for word in words if not word.startswith("-")]
