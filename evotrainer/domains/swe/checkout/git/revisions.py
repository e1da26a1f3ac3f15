"""Names of revisions: HEAD, main, origin/main, abbreviated ids, HEAD~2, main^, stash@{1}, HEAD@{1}, rev:path, a..b."""

import re
from collections.abc import Iterator

from evotrainer.domains.swe.checkout.git.options import GitError
from evotrainer.domains.swe.checkout.git.trees import find_entry, read_commit
from evotrainer.domains.swe.checkout.objects import MODE_TREE, Entry
from evotrainer.domains.swe.checkout.working_copy import GitState, OutsideError, WorkingCopy, inside

ABBREVIATED = 7
_SUFFIX = re.compile(r"(~[0-9]{0,9}|\^[0-9]{0,9}|\^\{(?:commit)?\})$")
_LOG_ENTRY = re.compile(r"(.*)@\{([0-9]{1,9})\}")
_HEX = re.compile(r"[0-9a-f]{4,40}")


def short(object_id: str) -> str:
    """Return an id as git abbreviates it here."""
    return object_id[:ABBREVIATED]


def unknown(name: str) -> GitError:
    """Return the error for a word that is neither revision nor path."""
    return GitError(f"fatal: ambiguous argument '{name}': unknown revision or path not in the working tree.")


def missing(copy: WorkingCopy, name: str) -> GitError:
    """Return the error for a name that leads to no object."""
    revision, mark, path = name.partition(":")
    if not mark:
        return unknown(name)
    if find_commit(copy.git, revision or "HEAD") is None:
        return GitError(f"fatal: invalid object name '{revision}'.")
    is_here = any(name == path or name.startswith(f"{path}/") for name in copy.files)
    how = "exists on disk, but not" if is_here else "does not exist"
    return GitError(f"fatal: path '{path}' {how} in '{revision or 'HEAD'}'")


def ref_name(state: GitState, name: str) -> str | None:
    """Return the short name of the branch or tag that `name` stands for, or None where it stands for none."""
    ref = next((ref for ref in _places(name) if ref in state.refs), None)
    return ref and ref.split("/", 2)[2]


def find_commit(state: GitState, name: str) -> str | None:
    """Return the id of the commit that `name` stands for, or None."""
    if suffix := _SUFFIX.search(name):
        base = find_commit(state, name[: suffix.start()])
        return base and _walk(state, base, suffix.group())
    found = _find_ref(state, name) or _find_logged(state, name) or _find_id(state, name)
    return found if found and _kind(state, found) == "commit" else None


def commit_of(state: GitState, name: str) -> str:
    """Return the id of a commit; raises GitError for an unknown one."""
    found = find_commit(state, name)
    if found is None:
        raise unknown(name)
    return found


def find_object(copy: WorkingCopy, name: str) -> Entry | None:
    """Return what `name` stands for, a commit, or a file or folder written rev:path; None where there is none."""
    revision, mark, path = name.partition(":")
    if not mark and name.endswith("^{tree}"):
        commit = find_commit(copy.git, name.removesuffix("^{tree}"))
        return commit and Entry(MODE_TREE, read_commit(copy.git.objects, commit).tree)  # type: ignore[return-value]
    if not mark:
        found = find_commit(copy.git, name) or _find_id(copy.git, name)
        return found and Entry(_kind(copy.git, found), found)  # type: ignore[return-value]
    commit = find_commit(copy.git, revision or "HEAD")
    if commit is None:
        return None
    try:
        place = inside(path, is_folder=True)
    except OutsideError:
        return None
    return find_entry(copy.git.objects, read_commit(copy.git.objects, commit).tree, place)


def split_words(
    copy: WorkingCopy, words: tuple[str, ...], paths: tuple[str, ...] | None
) -> tuple[list[str], list[str]]:
    """Return revisions and paths of a command's words: without `--`, the first word that is no revision is a path."""
    revisions: list[str] = []
    rest = list(words)
    while rest and _is_revision(copy.git, rest[0]):
        revisions.append(rest.pop(0))
    if rest and paths is not None:
        raise GitError(f"fatal: bad revision '{rest[0]}'")
    for word in rest:
        if word not in (".", "./") and not any(True for _ in _known(copy, word)):
            raise unknown(word)
    return revisions, [inside(path, is_folder=True) for path in (*rest, *(paths or ()))]


def split_range(state: GitState, word: str) -> tuple[str | None, str]:
    """Return (excluded, included) commits of `a..b`, or (None, commit) of a plain revision."""
    left, mark, right = word.partition("..")
    if not mark:
        return None, commit_of(state, word)
    if right.startswith("."):
        raise GitError("error: a...b is not there, use a..b")
    return commit_of(state, left or "HEAD"), commit_of(state, right or "HEAD")


def _is_revision(state: GitState, word: str) -> bool:
    left, mark, right = word.partition("..")
    if mark:
        return bool(find_commit(state, left or "HEAD") and find_commit(state, right.lstrip(".") or "HEAD"))
    return find_commit(state, word.removeprefix("^")) is not None


def _known(copy: WorkingCopy, word: str) -> Iterator[str]:
    path = inside(word, is_folder=True)
    for name in {**copy.git.index, **copy.files}:
        if name == path or name.startswith(f"{path}/") or not path:
            yield name


def _kind(state: GitState, object_id: str) -> str:
    return state.objects.read(object_id)[0]


def _find_ref(state: GitState, name: str) -> str | None:
    if name in ("HEAD", "@"):
        return state.head
    if name == "stash" and state.stashes:
        return state.stashes[0].commit
    return next((state.refs[place] for place in _places(name) if place in state.refs), None)


def _places(name: str) -> tuple[str, ...]:
    return (name, f"refs/{name}", f"refs/tags/{name}", f"refs/heads/{name}", f"refs/remotes/{name}")


def _find_logged(state: GitState, name: str) -> str | None:
    match = _LOG_ENTRY.fullmatch(name)
    if match is None:
        return None
    log = [stash.commit for stash in state.stashes] if match[1] == "stash" else [commit for commit, _ in state.reflog]
    is_known = match[1] in ("stash", "HEAD", "")
    return log[int(match[2])] if is_known and int(match[2]) < len(log) else None


def _find_id(state: GitState, name: str) -> str | None:
    if not _HEX.fullmatch(name):
        return None
    found = state.objects.complete(name)
    if len(found) > 1:
        commits = [object_id for object_id in found if _kind(state, object_id) == "commit"]
        return commits[0] if len(commits) == 1 else None
    return found[0] if found else None


def _walk(state: GitState, commit: str, suffix: str) -> str | None:
    """Follow ~N or ^N from a commit."""
    if suffix.startswith("^{"):
        return commit
    number = int(suffix[1:] or 1)
    if suffix[0] == "^":
        parents = read_commit(state.objects, commit).parents
        return commit if number == 0 else parents[number - 1] if number <= len(parents) else None
    for _ in range(number):
        parents = read_commit(state.objects, commit).parents
        if not parents:
            return None
        commit = parents[0]
    return commit
